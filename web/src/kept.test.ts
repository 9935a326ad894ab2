import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Kept } from "./kept.svelte";

const isNumber = (value: unknown): value is number => typeof value === "number";
const stored = () => JSON.parse(localStorage.getItem("test") ?? "[]") as [string, number][];

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

it("lasts beyond the page", () => {
  new Kept("test", isNumber).keep("a", 1);
  expect(new Kept("test", isNumber).of("a")).toBe(1);
});

it("drops the oldest tables when there are many", () => {
  const kept = new Kept("test", isNumber);
  for (let table = 0; table < 150; table++) kept.keep(`t${table}`, table);
  expect(kept.of("t49")).toBeUndefined();
  expect(kept.of("t50")).toBe(50);
  expect(stored()).toHaveLength(100);
});

/** A storage that takes so many characters and no more. */
function storageOf(room: number): void {
  let written = "[]";
  vi.stubGlobal("localStorage", {
    getItem: () => written,
    setItem: (_: string, text: string) => {
      if (text.length > room) throw new DOMException("full", "QuotaExceededError");
      written = text;
    },
  });
}

it("drops the oldest tables when the storage is full", () => {
  storageOf(60);
  const kept = new Kept("test", isNumber);
  for (let table = 0; table < 10; table++) kept.keep(`t${table}`, table);
  expect(stored().at(-1)).toEqual(["t9", 9]);
  expect(stored()[0]?.[0]).not.toBe("t0");
  expect(kept.of("t0")).toBe(0); // as long as the page lasts
});

it("works without any storage, as long as the page lasts", () => {
  storageOf(0);
  const kept = new Kept("test", isNumber);
  kept.keep("a", 1);
  expect(kept.of("a")).toBe(1);
  expect(stored()).toEqual([]);
});

it("forgets what it cannot read", () => {
  localStorage.setItem("test", JSON.stringify([["a", "text"], ["b", 2]]));
  const kept = new Kept("test", isNumber);
  expect(kept.of("a")).toBeUndefined();
  expect(kept.of("b")).toBe(2);
});
