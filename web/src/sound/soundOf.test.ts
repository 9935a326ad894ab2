import { describe, expect, it } from "vitest";

import { mutes } from "../panels/mutes.svelte";
import type { Event, Happening, What } from "../protocol";
import { soundOf } from "./sound";

describe("soundOf", () => {
  const outcome = { scores: [9, 5, 1], coins: [0, 0, 0], places: [1, 2, 3], winners: [0] };
  const dealt: Event = { kind: "dealt", phase: "buying", number: 2, market: [1, 2, 3], opener: 0 };
  const passed: Event = { kind: "passed", seat: 1, house: 1, refund: 0, price: 0 };
  const won: Event = { kind: "auction-won", seat: 0, house: 3, price: 0 };
  const chosen: Event = { kind: "house-chosen", seat: 1, house: null };
  const reveal: Event = { kind: "sale-resolved", number: 1, houses: [[1], [2], [3]], cheques: [[0], [2], [3]] };
  const end: Event = { kind: "game-ended", outcome };

  const of = (what: What, events: Event[] = [], you: number | null = 0) => {
    const happening: Happening = { seq: 1, at: 0, what, events };
    return soundOf(happening, you);
  };

  it("tells the most important part", () => {
    const played: What = { kind: "played", seat: 1, by: "person" };
    expect(of(played, [{ kind: "bid-placed", seat: 1, amount: 2 }])).toBe("bid");
    expect(of(played, [passed])).toBe("pass");
    expect(of(played, [passed, won, dealt])).toBe("take");
    expect(of(played, [chosen])).toBe("choose");
    expect(of(played, [chosen, reveal, dealt])).toBe("reveal");
    expect(of({ kind: "started" }, [dealt])).toBe("deal");
    expect(of({ kind: "opened" })).toBeNull();
  });

  it("has a fanfare for winners and spectators only", () => {
    const played: What = { kind: "played", seat: 1, by: "person" };
    expect(of(played, [reveal, end], 0)).toBe("win");
    expect(of(played, [reveal, end], null)).toBe("win");
    expect(of(played, [reveal, end], 1)).toBe("reveal");
  });

  it("lets others' words be heard, unless they are muted", () => {
    const said = (seat: number | null): What => ({ kind: "said", seat, name: "Bo", text: "Hi" });
    expect(of(said(1))).toBe("chat");
    expect(of(said(null), [], null)).toBe("chat");
    expect(of(said(0))).toBeNull();
    mutes.mute("Bo");
    expect(of(said(1))).toBeNull();
    mutes.unmute("Bo");
  });
});
