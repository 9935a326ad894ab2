import { expect, test } from "vitest";

import { roundsOf } from "../game/rounds";
import type { Event } from "../protocol";
import { check, shuffleOfTags, type Shuffle } from "./check";
import { rules } from "./samples";

const tags = {
  Commitment: "b10237a3aa15e365386b605353bd5189a25ea5b5bdd541b2b1855443a2904d10",
  Secret: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
  Seeds: "sun||café|42",
};
const shuffle = shuffleOfTags(tags, 4)!;

const dealt = (number: number, market: number[], opener: number | null = 3, phase = "buying"): Event => ({
  kind: "dealt",
  phase,
  number,
  market,
  opener,
});
const rounds = (...events: Event[]) => roundsOf(events, 4);
const honest = rounds(dealt(1, [2, 14, 17, 28]), dealt(2, [21, 27, 29, 30], 1), dealt(1, [0, 6, 7, 11], null, "selling"));

test("an honest game", () => {
  const checked = check(shuffle, rules, honest)!;
  expect(checked).toMatchObject({ promiseKept: true, beganAsDealt: true, differences: [], compared: 12 });
  expect(checked.hash).toBe(tags.Commitment);
  expect(checked.began).toBe(3);
});

test("another secret than the one promised", () => {
  const other: Shuffle = { ...shuffle, commitment: "0".repeat(64) };
  expect(check(other, rules, honest)).toMatchObject({ promiseKept: false, differences: [] });
});

test("another card, another seat that began", () => {
  const changed = check(shuffle, rules, rounds(dealt(1, [2, 14, 17, 29], 0)))!;
  expect(changed).toMatchObject({ promiseKept: true, beganAsDealt: false });
  expect(changed.differences).toHaveLength(1);
  expect(changed.differences[0]).toMatchObject({ round: { number: 1 }, expected: [2, 14, 17, 28] });
});

test("a seed in another place changes the deal", () => {
  const moved: Shuffle = { ...shuffle, seeds: ["", "sun", "café", "42"] };
  expect(check(moved, rules, honest)?.differences).not.toEqual([]);
});

test("nothing to check with", () => {
  expect(check({ ...shuffle, secret: "00" }, rules, honest)).toBeNull();
  expect(check({ ...shuffle, secret: "not a secret" }, rules, honest)).toBeNull();
  expect(check({ ...shuffle, seeds: ["a"] }, rules, honest)).toBeNull();
  expect(shuffleOfTags({ Commitment: "x" }, 4)).toBeNull();
  expect(shuffleOfTags({ Commitment: "x", Secret: "y" }, 3)?.seeds).toEqual(["", "", ""]);
});
