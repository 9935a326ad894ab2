import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { ServerClock } from "./clock";

let clock: ServerClock;
beforeEach(() => {
  vi.useFakeTimers({ now: 50_000 });
  clock = new ServerClock();
});
afterEach(() => vi.useRealTimers());

it("is our own clock before anything was heard", () => expect(clock.now()).toBe(50_000));

it("goes on from what was heard", () => {
  clock.heard(100_000);
  vi.advanceTimersByTime(1_500);
  expect(clock.now()).toBe(101_500);
});

it("is not set back by a message that took longer, nor by times in tenths of a second", () => {
  clock.heard(100_000);
  const shown = [99_900, 99_400, 100_000, 99_990].map((time) => {
    clock.heard(time);
    return clock.now();
  });
  expect(shown).toEqual([100_000, 100_000, 100_000, 100_000]);
});

it("is corrected by a message that took less long", () => {
  clock.heard(100_000);
  clock.heard(100_300);
  expect(clock.now()).toBe(100_300);
});

it("follows when a clock is set", () => {
  clock.heard(100_000);
  vi.setSystemTime(50_000 + 3_600_000);
  clock.heard(100_100);
  expect(clock.now()).toBe(100_100);
  vi.setSystemTime(50_000);
  clock.heard(100_200);
  expect(clock.now()).toBe(100_200);
});
