import { describe, expect, it } from "vitest";

import { roundsOf } from "../game/rounds";
import type { Event } from "../protocol";
import { check, type Shuffle } from "./check";
import { bytesOf, commitmentOf, fairDeal } from "./deal";
import type { Note } from "./notes";
import { rules } from "./samples";
import { judge, type Evidence, type Failure, type Verdict } from "./verdict";

const SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const COMMITMENT = commitmentOf(bytesOf(SECRET)!);

/** A game that was dealt from the secret and these seeds, as we in seat 1 remember it: we gave "ours". */
function evidence(seeds: readonly string[], change: Partial<Evidence> = {}, shown: Partial<Shuffle> = {}): Evidence {
  const deal = fairDeal(bytesOf(SECRET)!, seeds, rules);
  const market = deal.houses.slice(0, 4).toSorted((a, b) => a - b);
  const dealt: Event = { kind: "dealt", phase: "buying", number: 1, market, opener: deal.first };
  const shuffle = { commitment: COMMITMENT, secret: SECRET, seeds, ...shown };
  const checked = check(shuffle, rules, roundsOf([dealt], 4))!;
  return { checked, shuffle, bots: [false, false, true, true], you: 1, note: note(), ...change };
}

function note(change: Partial<Note> = {}): Note {
  return { commitment: COMMITMENT, seed: "ours", seat: 1, unconfirmed: null, ...change };
}

const unseeded = note({ seed: null, seat: null });
const broken = (...failed: Failure[]): Verdict => ({ kind: "broken", failed });
const asCommitted = (why: (Verdict & { kind: "as-committed" })["why"]): Verdict => ({ kind: "as-committed", why });

describe("fair", () => {
  it("when our own seed was used, alone or with others", () => {
    expect(judge(evidence(["", "ours", "", ""]))).toEqual({ kind: "fair" });
    expect(judge(evidence(["Bo’s", "ours", "", ""]))).toEqual({ kind: "fair" });
  });

  it("also where the table does not say which seat is ours, as in a replay", () => {
    expect(judge(evidence(["", "ours", "", ""], { you: null }))).toEqual({ kind: "fair" });
  });

  it("when a seed that was never confirmed was used after all", () => {
    const sent = note({ seed: null, seat: null, unconfirmed: "ours" });
    expect(judge(evidence(["", "ours", "", ""], { note: sent }))).toEqual({ kind: "fair" });
    const words = note({ unconfirmed: "other words" });
    expect(judge(evidence(["", "other words", "", ""], { note: words }))).toEqual({ kind: "fair" });
    expect(judge(evidence(["", "ours", "", ""], { note: words }))).toEqual({ kind: "fair" });
  });
});

describe("as committed", () => {
  it("when nobody gave a seed", () => {
    expect(judge(evidence(["", "", "", ""], { note: unseeded }))).toEqual(asCommitted("no-seeds"));
    expect(judge(evidence(["", "", "", ""], { note: undefined }))).toEqual(asCommitted("no-seeds"));
  });

  it("when only other players gave one", () => {
    expect(judge(evidence(["Bo’s", "", "", ""], { note: unseeded }))).toEqual(asCommitted("others-only"));
  });

  it("when another device gave the seed of our seat", () => {
    expect(judge(evidence(["", "phone", "", ""], { note: unseeded }))).toEqual(asCommitted("other-device"));
    expect(judge(evidence(["", "phone", "", ""], { note: undefined }))).toEqual(asCommitted("other-device"));
  });

  it("when we watched", () => {
    expect(judge(evidence(["Bo’s", "", "", ""], { note: unseeded, you: null }))).toEqual(asCommitted("watched"));
  });

  it("when this browser has no note of the table", () => {
    expect(judge(evidence(["Bo’s", "", "", ""], { note: undefined, you: null }))).toEqual(asCommitted("no-note"));
  });

  it("when our seed was sent, but never confirmed nor used", () => {
    const sent = note({ seed: null, seat: null, unconfirmed: "ours" });
    expect(judge(evidence(["", "", "", ""], { note: sent }))).toEqual(asCommitted("unconfirmed"));
    expect(judge(evidence(["Bo’s", "", "", ""], { note: sent }))).toEqual(asCommitted("unconfirmed"));
  });
});

describe("not as promised", () => {
  it("when our seed is missing", () => {
    expect(judge(evidence(["", "", "", ""]))).toEqual(broken("seed-missing"));
    expect(judge(evidence(["Bo’s", "", "", ""]))).toEqual(broken("seed-missing"));
  });

  it("when the table denies that we had a seat", () => {
    expect(judge(evidence(["", "", "", ""], { you: null }))).toEqual(broken("seed-missing"));
  });

  it("when our seed was replaced", () => {
    expect(judge(evidence(["", "theirs", "", ""]))).toEqual(broken("seed-replaced"));
  });

  it("when our seed was moved to another seat", () => {
    expect(judge(evidence(["ours", "", "", ""]))).toEqual(broken("seed-moved"));
    expect(judge(evidence(["ours", "theirs", "", ""], { you: 0 }))).toEqual(broken("seed-moved"));
  });

  it("when a bot’s seat has a seed", () => {
    expect(judge(evidence(["", "ours", "ground", ""]))).toEqual(broken("seed-bot"));
  });

  it("when the commitment is not the one that we saw", () => {
    const other = note({ commitment: "0".repeat(64) });
    expect(judge(evidence(["", "ours", "", ""], { note: other }))).toEqual(broken("commitment"));
  });

  it("when the secret does not fit the commitment", () => {
    const shown = { commitment: "0".repeat(64) };
    expect(judge(evidence(["", "ours", "", ""], { note: note(shown) }, shown))).toEqual(broken("secret"));
  });

  it("when a market differs, or another seat began", () => {
    const seeds = ["", "ours", "", ""];
    const dealt: Event = { kind: "dealt", phase: "buying", number: 1, market: [1, 2, 3, 4], opener: 2 };
    const { shuffle } = evidence(seeds);
    const checked = check(shuffle, rules, roundsOf([dealt], 4))!;
    expect(checked.deal.first).not.toBe(2);
    expect(judge(evidence(seeds, { checked }))).toEqual(broken("cards", "first"));
  });

  it("when seeds are shown that were not mixed in", () => {
    // The cards come from no seeds at all, but the table claims that ours was used.
    const verdict = judge(evidence(["", "", "", ""], {}, { seeds: ["", "ours", "", ""] }));
    expect(verdict).toMatchObject({ kind: "broken", failed: expect.arrayContaining(["cards"]) as Failure[] });
  });
});
