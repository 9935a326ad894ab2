import { describe, expect, it } from "vitest";

import type { Event } from "../protocol";
import { after, roundsOf, unseen } from "./rounds";

const AUCTION: Event[] = [
  { kind: "dealt", phase: "buying", number: 1, market: [8, 20, 28], opener: 0 },
  { kind: "bid-placed", seat: 0, amount: 1 },
  { kind: "bid-placed", seat: 1, amount: 2 },
  { kind: "bid-placed", seat: 2, amount: 5 },
  { kind: "bid-placed", seat: 0, amount: 6 },
  { kind: "passed", seat: 1, house: 8, refund: 1, price: 1 },
  { kind: "passed", seat: 2, house: 20, refund: 2, price: 3 },
  { kind: "auction-won", seat: 0, house: 28, price: 6 },
];
const SALE: Event[] = [
  { kind: "dealt", phase: "selling", number: 1, market: [0, 12, 13], opener: null },
  { kind: "house-chosen", seat: 0, house: 28 },
  { kind: "sale-resolved", number: 1, houses: [[28], [8], [20]], cheques: [[13], [0], [12]] },
];

describe("rounds", () => {
  it("gather an auction and what came of it", () =>
    expect(roundsOf(AUCTION, 3)).toEqual([
      {
        phase: "buying",
        number: 1,
        market: [8, 20, 28],
        opener: 0,
        takes: [
          { house: 28, price: 6, refund: 0, won: true },
          { house: 8, price: 1, refund: 1, won: false },
          { house: 20, price: 3, refund: 2, won: false },
        ],
        sold: [],
        cheques: [],
        over: true,
      },
    ]));

  it("gather a sale and what came of it", () =>
    expect(roundsOf([...AUCTION, ...SALE], 3)[1]).toMatchObject({
      phase: "selling",
      market: [0, 12, 13],
      sold: [[28], [8], [20]],
      cheques: [[13], [0], [12]],
      over: true,
    }));

  it("tell who is still in", () => {
    const [auction] = roundsOf(AUCTION.slice(0, 6), 3);
    expect(auction).toMatchObject({ over: false, takes: [null, { house: 8 }, null] });
  });

  it("know the pass of the variant that takes nothing", () => {
    const pass: Event = { kind: "passed", seat: 1, house: null, refund: 4, price: 0 };
    expect(roundsOf([AUCTION[0]!, pass], 3)[0]!.takes[1]).toEqual({ house: null, price: 0, refund: 4, won: false });
  });

  it("keep the last holder's sale apart from the one before", () => {
    const rest: Event[] = [
      { kind: "dealt", phase: "selling", number: 2, market: [5, 7], opener: null },
      { kind: "sale-resolved", number: 2, houses: [[3, 4], [], []], cheques: [[5, 7], [], []] },
    ];
    const rounds = roundsOf([...SALE, ...rest], 3);
    expect(rounds.map(({ number, over }) => [number, over])).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(rounds[0]!.cheques).toEqual([[13], [0], [12]]);
  });

  it("stay the same objects where nothing changes", () => {
    const rounds = roundsOf([...AUCTION, SALE[0]!], 3);
    expect(after(rounds, SALE[1]!, 3)).toBe(rounds);
    expect(after(rounds, SALE[2]!, 3)[0]).toBe(rounds[0]);
    expect(after([], AUCTION[1]!, 3)).toEqual([]);
  });
});

describe("unseen cards", () => {
  it("are those of the box that no market of the phase has shown", () => {
    const rounds = roundsOf([...AUCTION, ...SALE], 3);
    expect(unseen([7, 8, 9, 20, 28], rounds, "buying")).toEqual([7, 9]);
    expect(unseen([0, 0, 12, 12, 13, 13], rounds, "selling")).toEqual([0, 12, 13]);
  });
});
