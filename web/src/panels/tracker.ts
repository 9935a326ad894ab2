/** Numbers for those who would otherwise take notes. */

import { unseen, type Round } from "../game/rounds";
import type { Position } from "../protocol";

export interface Missing {
  /** Cards that no market has shown, each amount once with how many of it. */
  readonly cards: readonly Counted[];
  readonly total: number;
  /** How many of them were removed at the start and never come. */
  readonly removed: number;
}

export interface Counted {
  readonly card: number;
  readonly count: number;
}

export function missing(position: Position, rounds: readonly Round[], phase: Round["phase"]): Missing {
  const box = phase === "buying" ? position.rules.houses : position.rules.cheques;
  const cards = unseen(box, rounds, phase);
  return { cards: counted(cards), total: cards.length, removed: position.rules.removed };
}

/** 3, 4, 4, 9 as 3, 4 twice, 9. */
export function counted(cards: readonly number[]): Counted[] {
  const counts = new Map<number, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts].map(([card, count]) => ({ card, count }));
}

export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** By seat: all that it has paid at auctions. */
export function paid(rounds: readonly Round[], seats: number): number[] {
  return Array.from({ length: seats }, (_, seat) => total(rounds.map((round) => round.takes[seat]?.price ?? 0)));
}

/** By seat: all that its sales have brought. */
export function earned(rounds: readonly Round[], seats: number): number[] {
  return Array.from({ length: seats }, (_, seat) => total(rounds.map((round) => total(round.cheques[seat] ?? []))));
}
