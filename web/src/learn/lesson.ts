/**
 * The first lesson: the first two auctions and sales of a record, told step by step. What others do runs by itself; at
 * the learner's own turns the record says what is to be tried.
 */

import type { Values } from "../i18n/format";
import { framesOf, type Frame } from "../replay/frames";
import type { Action, Position, Replay } from "../protocol";

/** The learner's seat. */
export const LEARNER = 0;

/** What is told at each step, in order. */
export const STEPS = [
  "open", "opened", "overbid", "free", "again", "raised", "half", "dear", "passed",
  "next", "jump", "jumped", "scared", "scaredToo", "won",
  "rest", "rest", "rest", "rest", "rest",
  "sale", "chosen", "other", "other", "revealed",
  "poor", "chosenLow", "other", "other", "end",
] as const;

export type StepName = (typeof STEPS)[number];

export interface Step {
  readonly name: StepName;
  readonly frame: Frame;
  /** What the learner is asked to do; null where the lesson goes on by itself. */
  readonly want: Action | null;
  readonly values: Values;
}

export function stepsOf(replay: Replay): readonly Step[] {
  const frames = framesOf(replay.moments, replay.rules.seats);
  const told = frames.flatMap((frame, at) => (isTold(frame) ? [at] : []));
  return told.slice(0, STEPS.length).map((at, index) => {
    const frame = frames[at]!;
    const want = wantedAfter(frame, frames[at + 1]);
    return { name: STEPS[index]!, frame, want, values: valuesOf(frame, want, replay.players) };
  });
}

/** Of the auctions in the middle only the results are seen. */
function isTold({ rounds, result }: Frame): boolean {
  const round = rounds.at(-1)!;
  return round.phase === "selling" || round.number <= 2 || result !== null;
}

/** The second frame of a moment is nobody's action. */
function wantedAfter(frame: Frame, next: Frame | undefined): Action | null {
  if (frame.result !== null || next === undefined || next.moment === frame.moment) return null;
  return next.moment.seat === LEARNER ? next.moment.action : null;
}

/** The numbers of a step, so that no sentence holds one of its own. */
function valuesOf(frame: Frame, want: Action | null, players: readonly string[]): Values {
  const values: Record<string, string | number> = {};
  const { position } = frame;
  const round = frame.rounds.at(-1)!;
  values.number = round.number;
  values.lowest = position.market[0] ?? 0;
  values.highest = round.market.at(-1) ?? 0;
  values.purse = position.coins[LEARNER] ?? 0;
  values.standing = position.bids[LEARNER] ?? 0;
  for (const event of frame.events) {
    if ("seat" in event) values.name = players[event.seat] ?? "";
    if (event.kind === "bid-placed") values.bid = event.amount;
    if (event.kind === "passed") Object.assign(values, { card: event.house ?? 0, price: event.price, back: event.refund });
    if (event.kind === "auction-won") Object.assign(values, { best: event.house, paid: event.price });
    if (event.kind === "dealt" && event.opener !== null) values.name = players[event.opener] ?? "";
    if (event.kind === "sale-resolved") {
      Object.assign(values, { card: event.houses[LEARNER]?.[0] ?? 0, amount: event.cheques[LEARNER]?.[0] ?? 0 });
    }
  }
  if (want?.kind === "bid") Object.assign(values, { want: want.amount, adds: want.amount - Number(values.standing) });
  if (want?.kind === "sell") values.want = want.house;
  if (want?.kind === "pass") values.back = position.pass_terms?.refund ?? 0;
  values.own = position.choice ?? 0;
  return values;
}

/** All that the rules allow the learner there; the controls offer it, and the lesson answers it. */
export function legalAt({ want, frame }: Step): readonly Action[] {
  const { position } = frame;
  if (want === null) return [];
  if (want.kind === "sell") return (position.hands[LEARNER] ?? []).map((house) => ({ kind: "sell", house }));
  return [{ kind: "pass" }, ...bidsAt(position)];
}

function bidsAt(position: Position): readonly Action[] {
  const least = position.highest_bid === null ? position.rules.lowest_bid : position.highest_bid + 1;
  const most = (position.coins[LEARNER] ?? 0) + (position.bids[LEARNER] ?? 0);
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => ({ kind: "bid", amount: least + index }));
}

export function isSame(one: Action, other: Action): boolean {
  if (one.kind === "bid") return other.kind === "bid" && one.amount === other.amount;
  if (one.kind === "sell") return other.kind === "sell" && one.house === other.house;
  return other.kind === "pass";
}

/** Time to read a sentence that goes by itself, in milliseconds. */
export function timeToRead(text: string): number {
  return 1200 + 45 * text.length;
}
