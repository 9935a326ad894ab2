/**
 * The public history of a game as rounds: each auction and each sale with what came of it. Nothing here knows a rule;
 * it only gathers what the events tell.
 */

import type { Event } from "../protocol";

/** What a seat got in an auction. `house` is null where the variant had none for it. */
export interface Take {
  readonly house: number | null;
  readonly price: number;
  readonly refund: number;
  readonly won: boolean;
}

export interface Round {
  readonly phase: "buying" | "selling";
  /** From 1, within its phase. */
  readonly number: number;
  /** As it was turned up, ascending. */
  readonly market: readonly number[];
  readonly opener: number | null;
  /** Auction: what each seat took; null while it is in. */
  readonly takes: readonly (Take | null)[];
  /** Sale: what each seat is known to have chosen; null when unknown. Empty in an auction, and before the reveal. */
  readonly sold: readonly (readonly number[])[];
  readonly cheques: readonly (readonly number[])[];
  readonly over: boolean;
}

/** The rounds after one more event. Rounds that the event does not touch stay the same objects. */
export function after(rounds: readonly Round[], event: Event, seats: number): readonly Round[] {
  if (event.kind === "dealt") return [...rounds, dealt(event, seats)];
  const last = rounds.at(-1);
  if (last === undefined) return rounds;
  const changed = changedBy(last, event);
  return changed === last ? rounds : [...rounds.slice(0, -1), changed];
}

export function roundsOf(events: Iterable<Event>, seats: number): readonly Round[] {
  let rounds: readonly Round[] = [];
  for (const event of events) rounds = after(rounds, event, seats);
  return rounds;
}

function dealt(event: Event & { kind: "dealt" }, seats: number): Round {
  return {
    phase: event.phase === "buying" ? "buying" : "selling",
    number: event.number,
    market: event.market,
    opener: event.opener,
    takes: Array.from({ length: seats }, () => null),
    sold: [],
    cheques: [],
    over: false,
  };
}

function changedBy(round: Round, event: Event): Round {
  switch (event.kind) {
    case "passed": {
      const { seat, house, price, refund } = event;
      return { ...round, takes: round.takes.with(seat, { house, price, refund, won: false }) };
    }
    case "auction-won": {
      const { seat, house, price } = event;
      return { ...round, takes: round.takes.with(seat, { house, price, refund: 0, won: true }), over: true };
    }
    case "sale-resolved":
      return { ...round, sold: event.houses, cheques: event.cheques, over: true };
    default:
      return round;
  }
}

/** Cards of the box that no market has shown yet: still to come, or removed unseen. */
export function unseen(box: readonly number[], rounds: readonly Round[], phase: Round["phase"]): readonly number[] {
  const left = [...box];
  for (const round of rounds) {
    if (round.phase !== phase) continue;
    for (const card of round.market) {
      const at = left.indexOf(card);
      if (at >= 0) left.splice(at, 1);
    }
  }
  return left;
}
