/**
 * Keeps the result of an auction or a sale on the table for a while. Nothing waits for it: whoever acts, or presses
 * any key, goes on at once.
 */

import type { Round } from "../game/rounds";
import { settings } from "../settings.svelte";

const AUCTION = 1_800; // milliseconds, at the usual pace

/** When the parts of a reveal begin, in milliseconds after the cards lie on the table. */
export const REVEAL = {
  turn: 250, // all look at the backs for a moment
  rank: 900, // the turn takes 400, then a breath
  pay: 1_350,
  each: 250,
  rest: 1_500,
} as const;

/** How long a result stays. */
export function timeOf(round: Round): number {
  if (round.phase === "buying") return AUCTION * settings.pace;
  return REVEAL.pay * brisk() + round.market.length * REVEAL.each * brisk() + REVEAL.rest * settings.pace;
}

/** Whoever likes results short likes them quick as well; but nothing moves slower than it should. */
export function brisk(): number {
  return Math.min(1, settings.pace);
}

export class Showing {
  result = $state.raw<Round | null>(null);
  #next: Round[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows a round that is over; when one is still shown, after it. */
  show(round: Round): void {
    if (this.result === null) this.#put(round);
    else this.#next.push(round);
  }

  /** Goes on to what there is now. */
  skip(): void {
    clearTimeout(this.#timer);
    this.#next = [];
    this.result = null;
  }

  #put(round: Round): void {
    this.result = round;
    this.#timer = setTimeout(() => {
      const next = this.#next.shift();
      if (next === undefined) this.result = null;
      else this.#put(next);
    }, timeOf(round));
  }
}
