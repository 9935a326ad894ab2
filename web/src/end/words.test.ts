import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { learn } from "../i18n/index.svelte";
import { settings } from "../settings.svelte";
import { barsOf, tiesOf } from "./scoring";
import { tieSentence, tradeSentence } from "./words";

beforeAll(async () => {
  await learn("en");
  await learn("fr");
});
beforeEach(() => {
  settings.language = "en";
});

const name = (seat: number) => ["Ana", "Bo", "Cy", "Dot"][seat]!;
const told = (scores: number[], coins: number[], places: number[]) =>
  tiesOf(barsOf([], { scores, coins, places, winners: [] })).map((tie) => tieSentence(tie, name));

describe("ties", () => {
  test("broken by coins", () => {
    expect(told([50, 50, 30], [2, 5, 0], [2, 1, 3])).toEqual([
      "Bo and Ana have 50 each. More coins left decides: Bo 5 and Ana 2.",
    ]);
  });

  test("a shared victory", () => {
    expect(told([50, 20, 50], [1, 0, 1], [1, 3, 1])).toEqual([
      "Ana and Cy have 50 each, and 1 coin left each: they share the victory.",
    ]);
  });

  test("a shared place behind a winner by coins", () => {
    expect(told([50, 50, 50, 10], [3, 3, 8, 1], [2, 2, 1, 4])).toEqual([
      "Cy, Ana and Bo have 50 each. More coins left decides: Cy 8, Ana 3 and Bo 3. " +
        "Ana and Bo are still level: they share place 2.",
    ]);
  });

  test("in French", () => {
    settings.language = "fr";
    expect(told([50, 50, 30], [2, 5, 0], [2, 1, 3])).toEqual([
      "Bo et Ana sont à égalité à 50. Les pièces restantes départagent\u00a0: Bo 5 et Ana 2.",
    ]);
  });
});

test("deals", () => {
  const trade = { seat: 1, house: 12, price: 3, cheque: 14 };
  expect(tradeSentence("best", trade, name)).toBe("Best deal: Bo paid 3 for 12 and sold it for 14.");
  expect(tradeSentence("worst", { ...trade, price: 0, cheque: 0 }, name)).toBe(
    "Worst deal: Bo got 12 for nothing and sold it for 0.",
  );
});
