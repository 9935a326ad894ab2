/** How a position is told in numbers: who sits where as seen from one's own chair, and how many rounds there are. */

import type { Position } from "../protocol";

/** The other seats clockwise, from the one after `you`; all of them for somebody who only watches. */
export function othersOf(seats: number, you: number | null): readonly number[] {
  if (you === null) return Array.from({ length: seats }, (_, seat) => seat);
  return Array.from({ length: seats - 1 }, (_, at) => (you + 1 + at) % seats);
}

/** How many auctions or sales a phase has: the current one, or one that is still shown. */
export function roundsIn(position: Position, phase: string = position.phase): number {
  const { rules, number, hand_sizes } = position;
  if (phase === "buying") return Math.ceil(rules.deck_size / (rules.seats - rules.short));
  if (position.phase === "over") return number;
  // In the variant hands differ: once only one seat holds houses, a single sale takes all that is left.
  const [most = 0, next = 0] = hand_sizes.toSorted((a, b) => b - a);
  return number - 1 + next + (most > next ? 1 : 0);
}

/** The house that the next pass takes; null where the variant has none for it, or where nobody is asked to bid. */
export function nextToGo(position: Position): number | null {
  return position.phase === "buying" ? (position.pass_terms?.house ?? null) : null;
}

/** Who has made the highest bid; null before the first. */
export function highestBidder(position: Position): number | null {
  if (position.highest_bid === null) return null;
  const seat = position.bids.indexOf(position.highest_bid);
  return seat < 0 ? null : seat;
}

export function total(cards: readonly number[]): number {
  return cards.reduce((sum, card) => sum + card, 0);
}
