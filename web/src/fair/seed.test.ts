import { expect, it } from "vitest";

import { isRandom, MAX_SEED, newSeed, seedProblem } from "./seed";

it("makes seeds of 128 random bits that a record can hold", () => {
  const seeds = Array.from({ length: 100 }, newSeed);
  expect(new Set(seeds).size).toBe(100);
  for (const seed of seeds) {
    expect(seed).toMatch(/^[0-9a-f]{32}$/);
    expect(seedProblem(seed)).toBeNull();
    expect(isRandom(seed)).toBe(true);
  }
  expect(isRandom("a cat on the piano")).toBe(false);
});

it("counts the characters of a seed as the server does, not UTF-16 units", () => {
  expect(seedProblem("🏠".repeat(MAX_SEED))).toBeNull();
  expect(seedProblem("🏠".repeat(MAX_SEED + 1))).toBe("length");
  expect(seedProblem("é".repeat(MAX_SEED + 1))).toBe("length");
});

it("knows what a record cannot hold", () => {
  for (const seed of ["a|b", 'a"b', "a\nb", "a\u0085b", "\ud83c"]) expect(seedProblem(seed)).toBe("characters");
  expect(seedProblem("naïve, 42: «oui»")).toBeNull();
});
