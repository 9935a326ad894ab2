/** The reveal of a sale, step by step: backs, then all cards turn, are ranked, and are paid one after the other. */

import type { Round } from "../game/rounds";
import { brisk, REVEAL } from "./showing.svelte";

/** A house that was sold, and what for. */
export interface Deal {
  readonly seat: number;
  readonly house: number;
  readonly cheque: number;
}

/** What a sale came to, the smallest cheque first. */
export function dealsOf(round: Round): readonly Deal[] {
  const deals = round.sold.flatMap((houses, seat) => {
    const cheques = (round.cheques[seat] ?? []).toSorted((a, b) => a - b);
    // One who sells several at once gets the better cheque for the better house: it makes no difference.
    return houses.toSorted((a, b) => a - b).map((house, at) => ({ seat, house, cheque: cheques[at] ?? 0 }));
  });
  return deals.toSorted((a, b) => a.house - b.house);
}

export class Reveal {
  isTurned = $state(false);
  isRanked = $state(false);
  /** So many cheques have been paid, from the smallest on. */
  paid = $state(0);
  #timers: ReturnType<typeof setTimeout>[] = [];

  /** Begins; `isQuick` shows how it ends. */
  start(deals: number, isQuick = false): void {
    this.stop();
    this.isTurned = this.isRanked = isQuick;
    this.paid = isQuick ? deals : 0;
    if (isQuick) return;
    this.#after(REVEAL.turn, () => (this.isTurned = true));
    this.#after(REVEAL.rank, () => (this.isRanked = true));
    for (let deal = 1; deal <= deals; deal++) {
      this.#after(REVEAL.pay + (deal - 1) * REVEAL.each, () => (this.paid = deal));
    }
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }

  #after(time: number, step: () => void): void {
    this.#timers.push(setTimeout(step, time * brisk()));
  }
}
