/** Positions for tests: a three-seat auction as seat 0 sees it, with whatever a test wants otherwise. */

import type { Position, Rules, SeatInfo } from "../protocol";
import type { Round } from "../game/rounds";

const rules: Rules = {
  edition: "iello-2020",
  seats: 3,
  variant: null,
  houses: Array.from({ length: 30 }, (_, at) => at + 1),
  cheques: [0, 0, ...Array.from({ length: 28 }, (_, at) => 2 + Math.floor(at / 2))],
  coins: 28,
  removed: 0,
  deck_size: 30,
  short: 0,
  refund: "down",
  lowest_bid: 1,
};

export function auction(otherwise: Partial<Position> = {}, ruled: Partial<Rules> = {}): Position {
  return {
    rules: { ...rules, ...ruled },
    seat: 0,
    phase: "buying",
    number: 1,
    market: [12, 19, 26],
    to_act: [0],
    bidders: [0, 1, 2],
    bids: [3, 4, 5],
    highest_bid: 5,
    houses_left: 27,
    cheques_left: 30,
    hand_sizes: [0, 0, 0],
    cheque_counts: [0, 0, 0],
    has_chosen: [false, false, false],
    choice: null,
    coins: [25, null, null],
    hands: [[], null, null],
    cheques: [[], null, null],
    pass_terms: { house: 12, refund: 1, price: 2 },
    outcome: null,
    decks: null,
    ...otherwise,
  };
}

export function sale(otherwise: Partial<Position> = {}): Position {
  return auction({
    phase: "selling",
    market: [0, 12, 13],
    to_act: [0, 1, 2],
    bidders: [],
    bids: [null, null, null],
    highest_bid: null,
    houses_left: 0,
    cheques_left: 27,
    hand_sizes: [10, 10, 10],
    pass_terms: null,
    ...otherwise,
  });
}

export function soldRound(otherwise: Partial<Round> = {}): Round {
  return {
    phase: "selling",
    number: 1,
    market: [0, 12, 13],
    opener: null,
    takes: [null, null, null],
    sold: [[28], [8], [20]],
    cheques: [[13], [0], [12]],
    over: true,
    ...otherwise,
  };
}

export function auctionRound(otherwise: Partial<Round> = {}): Round {
  return {
    phase: "buying",
    number: 1,
    market: [12, 19, 26],
    opener: 0,
    takes: [null, null, null],
    sold: [],
    cheques: [],
    over: false,
    ...otherwise,
  };
}

export function person(name: string, otherwise: Partial<SeatInfo> = {}): SeatInfo {
  return { name, bot: null, taken: true, connected: true, away: false, deadline: null, bank: 0, ...otherwise };
}
