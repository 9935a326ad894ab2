import { expect, it } from "vitest";

import { roundsOf } from "../game/rounds";
import type { Event, Position } from "../protocol";
import { counted, earned, missing, paid } from "./tracker";

const events: Event[] = [
  { kind: "dealt", phase: "buying", number: 1, market: [2, 5], opener: 0 },
  { kind: "passed", seat: 1, house: null, refund: 3, price: 0 },
  { kind: "passed", seat: 2, house: 2, refund: 1, price: 2 },
  { kind: "auction-won", seat: 0, house: 5, price: 4 },
  { kind: "dealt", phase: "buying", number: 2, market: [1, 6], opener: 0 },
  { kind: "passed", seat: 0, house: 1, refund: 0, price: 1 },
  { kind: "dealt", phase: "selling", number: 1, market: [0, 4], opener: null },
  { kind: "sale-resolved", number: 1, houses: [[5], [], [2]], cheques: [[4], [], [0]] },
  { kind: "dealt", phase: "selling", number: 2, market: [3, 4], opener: null },
  { kind: "sale-resolved", number: 2, houses: [[1, 6], [], []], cheques: [[3, 4], [], []] },
];
const rounds = roundsOf(events, 3);
const rules = { houses: [1, 2, 3, 4, 5, 6, 7], cheques: [0, 0, 2, 3, 4, 4, 5, 5], removed: 2 };
const position = { rules } as unknown as Position;

it("knows which cards no market has shown, and how many never come", () => {
  expect(missing(position, rounds, "buying")).toEqual({
    cards: [
      { card: 3, count: 1 },
      { card: 4, count: 1 },
      { card: 7, count: 1 },
    ],
    total: 3,
    removed: 2,
  });
  expect(missing(position, rounds, "selling")).toEqual({
    cards: [
      { card: 0, count: 1 },
      { card: 2, count: 1 },
      { card: 5, count: 2 },
    ],
    total: 4,
    removed: 2,
  });
});

it("counts equal cards", () => {
  expect(counted([])).toEqual([]);
  expect(counted([0, 0, 2])).toEqual([
    { card: 0, count: 2 },
    { card: 2, count: 1 },
  ]);
});

it("sums what each seat has paid and earned", () => {
  expect(paid(rounds, 3)).toEqual([5, 0, 2]);
  expect(earned(rounds, 3)).toEqual([11, 0, 0]);
});
