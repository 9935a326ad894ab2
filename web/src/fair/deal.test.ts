/** Golden values: the vectors of docs/fair-shuffle.md, and what the package's `shuffle.fair_deal` deals. */

import { describe, expect, test } from "vitest";

import { bytesOf, commitmentOf, fairDeal, hexOf, keyOf, stream, type Box } from "./deal";

const numbers = (text: string) => text.split(" ").map(Number);

const HOUSES = Array.from({ length: 30 }, (_, i) => i + 1);
const CHEQUES = [0, 0, ...Array.from({ length: 28 }, (_, i) => 2 + Math.floor(i / 2))];
const box = (seats: number, removed: number): Box => ({ houses: HOUSES, cheques: CHEQUES, removed, seats });

const SECRET = Uint8Array.from({ length: 32 }, (_, i) => i);

describe("the vectors of the documentation", () => {
  test("the commitment", () => {
    expect(commitmentOf(SECRET)).toBe("b10237a3aa15e365386b605353bd5189a25ea5b5bdd541b2b1855443a2904d10");
  });

  test("the key and the stream without seeds", () => {
    const key = keyOf(SECRET, ["", "", "", ""]);
    expect(hexOf(key)).toBe("99eca3875442bac1c09b8cfbd3c2c42e3118a48e90e8d3857141c0c98c3f4c20");
    const words = stream(key);
    expect([1, 2, 3, 4].map(() => words.next().value)).toEqual([645022099, 1301829699, 3225955998, 3920686709]);
  });

  test("the deal without seeds", () => {
    const deal = fairDeal(SECRET, ["", "", "", ""], box(4, 2));
    expect(deal.houses).toEqual(
      numbers("30 22 16 21 6 14 2 19 4 12 11 13 23 26 28 17 18 27 25 1 10 8 15 5 24 7 9 20"),
    );
    expect(deal.cheques).toEqual(numbers("2 9 12 12 2 11 14 14 0 13 3 7 6 4 10 4 7 0 3 9 5 13 15 6 8 11 8 10"));
    expect(deal.first).toBe(2);
  });

  test("the deal with seeds", () => {
    const deal = fairDeal(SECRET, ["sun", "", "café", "42"], box(4, 2));
    expect(deal.houses).toEqual(
      numbers("2 14 17 28 21 29 27 30 18 1 9 15 7 4 10 3 11 19 12 23 8 5 22 16 24 13 6 20"),
    );
    expect(deal.cheques).toEqual(numbers("6 7 11 0 6 9 0 2 15 12 14 3 11 8 9 10 7 14 5 3 13 4 13 2 5 12 10 8"));
    expect(deal.first).toBe(3);
  });
});

describe("the same as the package deals", () => {
  test("three seats, seeds beyond ASCII", () => {
    const secret = Uint8Array.from({ length: 32 }, (_, i) => 100 + i);
    expect(commitmentOf(secret)).toBe("f4e68a838061f1ce5cb0e2f73a01bc0c3fd6d243eb2d95e35abf7e0b72278042");
    expect(fairDeal(secret, ["Ünï", "", "🏠 house"], box(3, 0))).toEqual({
      houses: numbers("7 4 12 27 5 15 26 3 13 6 14 30 18 19 8 2 22 9 25 10 21 17 20 24 16 1 29 23 11 28"),
      cheques: numbers("14 8 2 13 8 9 4 11 6 3 6 9 14 10 7 5 2 4 10 12 3 7 13 15 11 12 0 5 15 0"),
      removedHouses: [],
      removedCheques: [],
      first: 0,
    });
  });

  test("five seats with the variant of 2015", () => {
    expect(fairDeal(new Uint8Array(32).fill(255), ["a", "b", "c", "d", "e"], box(5, 3))).toEqual({
      houses: numbers("30 3 21 26 18 8 25 15 23 6 4 16 29 13 17 5 22 27 11 20 28 14 12 10 24 9 2"),
      cheques: numbers("14 14 5 13 2 15 12 8 13 6 10 0 12 11 3 4 9 7 4 2 9 0 8 15 7 3 5"),
      removedHouses: [1, 7, 19],
      removedCheques: [10, 6, 11],
      first: 2,
    });
  });

  test("a seed that is longer than a block of the hash", () => {
    const deal = fairDeal(SECRET, ["x".repeat(70), "", ""], box(3, 6));
    expect(deal.houses).toEqual(numbers("24 3 29 14 12 27 9 17 18 5 13 11 10 16 15 26 2 23 30 6 22 4 1 8"));
    expect(deal.cheques).toEqual(numbers("5 4 2 14 0 12 8 12 9 7 3 11 4 13 8 6 15 10 10 6 7 2 15 3"));
    expect(deal.removedHouses).toEqual([28, 25, 21, 19, 20, 7]);
    expect(deal.removedCheques).toEqual([13, 11, 14, 9, 5, 0]);
    expect(deal.first).toBe(1);
  });
});

test("bytes and hexadecimal digits", () => {
  expect(bytesOf("00ff10")).toEqual(Uint8Array.of(0, 255, 16));
  expect(bytesOf("")).toEqual(new Uint8Array());
  expect(bytesOf("0")).toBeNull();
  expect(bytesOf("0G")).toBeNull();
  expect(hexOf(Uint8Array.of(0, 255, 16))).toBe("00ff10");
});
