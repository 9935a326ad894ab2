import { describe, expect, test, vi } from "vitest";

import { Refused } from "../net/api";
import type { Event, Position, Replay } from "../protocol";
import { SPEEDS, Watched } from "./watched.svelte";

function replay(seat: number | null): Replay {
  const dealt: Event = { kind: "dealt", phase: "buying", number: 1, market: [1, 2, 3], opener: 0 };
  const bid = (amount: number): Event => ({ kind: "bid-placed", seat: 0, amount });
  const moments = [[dealt], [bid(1)], [bid(2)], [bid(3)]].map((events, number) => ({
    number,
    seat: null,
    action: null,
    events,
    choices: [],
    position: { to_act: [] } as unknown as Position,
  }));
  return { tags: {}, players: ["Ana", "Bo", "Cy"], rules: { seats: 3 } as Replay["rules"], seat, moments };
}

const seatOf = (letter: string | null) => (letter === null ? null : "ABC".indexOf(letter));
const watch = () => new Watched((letter) => Promise.resolve(replay(seatOf(letter))));

describe("a replay that is watched", () => {
  test("opens at a place, within its bounds", async () => {
    const watched = watch();
    await watched.open({ at: 99, seat: 1 });
    expect(watched.at).toBe(3);
    expect(watched.seat).toBe(1);
    expect(watched.isAtEnd).toBe(true);
  });

  test("steps and jumps, and stops playing then", async () => {
    const watched = watch();
    await watched.open({ at: 0, seat: null });
    watched.toggle();
    expect(watched.playing).toBe(true);
    watched.step(1);
    expect([watched.at, watched.playing]).toEqual([1, false]);
    watched.step(-Infinity);
    expect(watched.at).toBe(0);
    watched.step(Infinity);
    expect(watched.at).toBe(3);
  });

  test("plays again from the beginning when it was at its end", async () => {
    const watched = watch();
    await watched.open({ at: 3, seat: null });
    watched.toggle();
    expect([watched.at, watched.playing]).toEqual([0, true]);
    watched.go(3);
    expect(watched.playing).toBe(false);
  });

  test("keeps its place when the eyes change, and asks only once for each", async () => {
    const fetch = vi.fn((letter: string | null) => Promise.resolve(replay(seatOf(letter))));
    const watched = new Watched(fetch);
    await watched.open({ at: 2, seat: null });
    await watched.look(2);
    await watched.look(null);
    await watched.look(2);
    expect([watched.at, watched.seat]).toEqual([2, 2]);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test("falls back to open cards where there is no such seat", async () => {
    const watched = new Watched((letter) =>
      letter === "F" ? Promise.reject(new Refused("request/bad", "No seat F.")) : Promise.resolve(replay(null)),
    );
    await watched.open({ at: 1, seat: 5 });
    expect([watched.at, watched.seat, watched.error]).toEqual([1, null, null]);
  });

  test("says why there is nothing", async () => {
    const watched = new Watched(() => Promise.reject(new Refused("table/unknown", "No.")));
    await watched.open({ at: 0, seat: null });
    expect(watched.error?.code).toBe("table/unknown");
    expect(watched.frame).toBeNull();
  });

  test("has speeds", async () => {
    const watched = watch();
    await watched.open({ at: 0, seat: null });
    const usual = watched.stay;
    for (let i = 0; i < 9; i++) watched.faster(1);
    expect(watched.speed).toBe(SPEEDS.at(-1));
    expect(watched.stay).toBe(usual / 4);
    for (let i = 0; i < 9; i++) watched.faster(-1);
    expect(watched.speed).toBe(0.5);
  });
});
