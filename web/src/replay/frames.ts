/**
 * A replay as the frames that one steps through. A moment of the server's that ends an auction or a sale becomes two:
 * first what came of it, then the next market; otherwise nobody could stop and look at a reveal.
 */

import { after, type Round } from "../game/rounds";
import type { Event, Moment, Position } from "../protocol";

export interface Frame {
  /** The moment it belongs to. */
  readonly moment: Moment;
  /** While a result is seen nobody is to act, although the next market is already there. */
  readonly position: Position;
  /** What led to this frame. */
  readonly events: readonly Event[];
  /** The round that has just ended and is still to be seen. */
  readonly result: Round | null;
  /** All rounds up to here. */
  readonly rounds: readonly Round[];
}

export function framesOf(moments: readonly Moment[], seats: number): readonly Frame[] {
  const frames: Frame[] = [];
  let rounds: readonly Round[] = [];
  for (const moment of moments) {
    const { position } = moment;
    let told: Event[] = [];
    for (const event of moment.events) {
      rounds = after(rounds, event, seats);
      told.push(event);
      if (event.kind !== "auction-won" && event.kind !== "sale-resolved") continue;
      const still = { ...position, to_act: [], bidders: [] };
      frames.push({ moment, position: still, events: told, result: rounds.at(-1) ?? null, rounds });
      told = [];
    }
    if (told.length > 0) frames.push({ moment, position, events: told, result: null, rounds });
  }
  return frames;
}

export function opensRound(frame: Frame): boolean {
  return frame.events.some((event) => event.kind === "dealt");
}

/** Where the next auction or sale begins, or the end; backwards the start of this one, or of the one before. */
export function roundAfter(frames: readonly Frame[], at: number): number {
  const next = frames.findIndex((frame, index) => index > at && opensRound(frame));
  return next < 0 ? frames.length - 1 : next;
}

export function roundBefore(frames: readonly Frame[], at: number): number {
  return Math.max(
    0,
    frames.findLastIndex((frame, index) => index < at && opensRound(frame)),
  );
}

/** The part of the address behind #: which frame, and through whose eyes (null: all open). */
export interface Place {
  readonly at: number;
  readonly seat: number | null;
}

const LETTERS = "ABCDEF";

export function letterOf(seat: number | null): string | null {
  return seat === null ? null : LETTERS.charAt(seat);
}

export function placeOf(hash: string): Place {
  const [, at, letter] = /^#(\d{1,5})(?:-([A-F]))?$/.exec(hash) ?? [];
  if (at === undefined) return { at: 0, seat: null };
  return { at: Number(at), seat: letter === undefined ? null : LETTERS.indexOf(letter) };
}

export function hashOf({ at, seat }: Place): string {
  if (seat !== null) return `#${at}-${letterOf(seat)}`;
  return at === 0 ? "" : `#${at}`;
}
