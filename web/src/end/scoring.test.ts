import { describe, expect, test } from "vitest";

import type { Round, Take } from "../game/rounds";
import type { Outcome } from "../protocol";
import { barsOf, shownOf, stagesOf, standings, tiesOf, tradesOf, type Bar } from "./scoring";

const base = { market: [], opener: null, takes: [], sold: [], cheques: [], over: true };
const take = (house: number | null, price: number): Take => ({ house, price, refund: 0, won: false });
const auction = (number: number, takes: (Take | null)[]): Round => ({ ...base, phase: "buying", number, takes });
const sale = (number: number, sold: number[][], cheques: number[][]): Round => ({
  ...base,
  phase: "selling",
  number,
  sold,
  cheques,
});

/** Three seats, two auctions and two sales. */
const rounds = [
  auction(1, [take(28, 6), take(8, 1), take(20, 3)]),
  auction(2, [take(3, 0), take(30, 2), take(11, 0)]),
  sale(1, [[28], [8], [20]], [[13], [0], [12]]),
  sale(2, [[3], [30], [11]], [[4], [15], [9]]),
];
const outcome: Outcome = { scores: [39, 40, 46], coins: [22, 25, 25], places: [3, 2, 1], winners: [2] };
const bars = barsOf(rounds, outcome);

describe("bars", () => {
  test("hold every cheque with the house that earned it", () => {
    expect(bars[0]).toEqual({
      seat: 0,
      earnings: [
        { sale: 1, houses: [28], cheques: [13], amount: 13 },
        { sale: 2, houses: [3], cheques: [4], amount: 4 },
      ],
      cheques: 17,
      coins: 22,
      score: 39,
      place: 3,
    });
  });

  test("a seat without houses earns nothing in a sale, the last one gets all at once", () => {
    const [bar, other] = barsOf([sale(1, [[4, 7], []], [[9, 2], []])], { ...outcome, scores: [11, 5], coins: [0, 5] });
    expect(bar?.earnings).toEqual([{ sale: 1, houses: [4, 7], cheques: [9, 2], amount: 11 }]);
    expect(other?.earnings).toEqual([{ sale: 1, houses: [], cheques: [], amount: 0 }]);
  });

  test("a sale that is not over counts nothing", () => {
    expect(barsOf([{ ...sale(1, [], []), over: false }], outcome)[0]?.earnings).toEqual([]);
  });
});

describe("the drama", () => {
  const stages = stagesOf(bars);

  test("counts sale by sale, then coins from the last place to the winner", () => {
    expect(stages).toEqual([
      { sales: 0, counted: [] },
      { sales: 1, counted: [] },
      { sales: 2, counted: [] },
      { sales: 2, counted: [0] },
      { sales: 2, counted: [0, 1] },
      { sales: 2, counted: [0, 1, 2] },
    ]);
  });

  test("starts with nothing and ends with the score", () => {
    expect(bars.map((bar) => shownOf(bar, stages[0]!))).toEqual([0, 0, 0]);
    expect(bars.map((bar) => shownOf(bar, stages[2]!))).toEqual([17, 15, 21]);
    expect(bars.map((bar) => shownOf(bar, stages.at(-1)!))).toEqual(outcome.scores);
  });
});

test("standings go by place, then by seat", () => {
  const level = barsOf([], { scores: [5, 7, 5], coins: [0, 1, 0], places: [2, 1, 2], winners: [1] });
  expect(standings(level).map((bar) => bar.seat)).toEqual([1, 0, 2]);
});

describe("ties", () => {
  const with_ = (scores: number[], coins: number[], places: number[]): readonly Bar[] =>
    barsOf([], { scores, coins, places, winners: [] });

  test("none", () => {
    expect(tiesOf(bars)).toEqual([]);
  });

  test("broken by coins", () => {
    const [tie, ...others] = tiesOf(with_([50, 50, 30], [2, 5, 0], [2, 1, 3]));
    expect(others).toEqual([]);
    expect(tie?.score).toBe(50);
    expect(tie?.bars.map((bar) => bar.seat)).toEqual([1, 0]);
    expect(tie?.shared).toEqual([]);
  });

  test("shared in part", () => {
    const [tie] = tiesOf(with_([50, 50, 50, 20], [5, 2, 5, 1], [1, 3, 1, 4]));
    expect(tie?.bars.map((bar) => bar.seat)).toEqual([0, 2, 1]);
    expect(tie?.shared.map((group) => group.map((bar) => bar.seat))).toEqual([[0, 2]]);
  });

  test("two of them, the better first", () => {
    expect(tiesOf(with_([20, 40, 20, 40], [1, 1, 0, 1], [3, 1, 4, 1])).map((tie) => tie.score)).toEqual([40, 20]);
  });
});

test("trades, the most profitable first", () => {
  expect(tradesOf(rounds)).toEqual([
    { seat: 1, house: 30, price: 2, cheque: 15 },
    { seat: 2, house: 11, price: 0, cheque: 9 },
    { seat: 2, house: 20, price: 3, cheque: 12 },
    { seat: 0, house: 28, price: 6, cheque: 13 },
    { seat: 0, house: 3, price: 0, cheque: 4 },
    { seat: 1, house: 8, price: 1, cheque: 0 },
  ]);
  expect(tradesOf([sale(1, [[4, 7], []], [[9, 2], []])])).toEqual([]);
});
