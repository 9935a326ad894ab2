import { expect, it } from "vitest";

import { roundsOf } from "../game/rounds";
import type { By, Event, Happening, What } from "../protocol";
import { settings } from "../settings.svelte";
import { beforeReveal, chapters } from "./log";

settings.language = "en";

const NAMES = ["Ana", "Bo", "Cy"];
const AUCTION: Event = { kind: "dealt", phase: "buying", number: 1, market: [3, 8, 20], opener: 0 };
const SALE: Event = { kind: "dealt", phase: "selling", number: 1, market: [0, 5, 9], opener: null };
const REVEAL: Event = { kind: "sale-resolved", number: 1, houses: [[3], [8], [20]], cheques: [[0], [5], [9]] };
const passed = (seat: number, house: number): Event => ({ kind: "passed", seat, house, refund: 0, price: 0 });
const chosen = (seat: number, house: number | null = null): Event => ({ kind: "house-chosen", seat, house });
const played = (seat: number, by: By = "person"): What => ({ kind: "played", seat, by });

function log(...entries: [What, ...Event[]][]) {
  const happenings = entries.map(([what, ...events], index): Happening => ({ seq: index + 1, at: 0, what, events }));
  return chapters(happenings, NAMES, 0).map(({ title, lines }) => [title, ...lines.map((line) => line.text)]);
}

it("is empty before anything happened", () => expect(log()).toEqual([]));

it("begins a chapter with each auction and sale, and leaves the chat out", () => {
  expect(
    log(
      [{ kind: "opened" }],
      [{ kind: "joined", seat: 1, name: "Bo" }],
      [{ kind: "started" }, AUCTION],
      [played(0), passed(0, 3)],
      [{ kind: "said", seat: 1, name: "Bo", text: "Ha!" }],
      [{ kind: "reacted", seat: 1, name: "Bo", reaction: "👏" }],
      [played(1), passed(1, 8), { kind: "auction-won", seat: 2, house: 20, price: 0 }, SALE],
    ),
  ).toEqual([
    [null, "The table is open.", "Bo sits down.", "The game begins."],
    [
      "Auction 1: 3, 8 and 20 are up. You open.",
      "You pass and take 3.",
      "Bo passes and takes 8.",
      "Cy gets 20 for nothing.",
      "All houses are bought. Now they are sold.",
    ],
    ["Sale 1: cheques 0, 5 and 9."],
  ]);
});

it("tells a changed choice once, and no choice after the reveal but a bot's for a person", () => {
  const before: [What, ...Event[]][] = [
    [{ kind: "started" }, SALE],
    [played(0), chosen(0, 8)],
    [played(1, "stand-in"), chosen(1)],
    [played(0), chosen(0, 3)],
  ];
  expect(log(...before).at(-1)!.slice(1)).toEqual(["Bo has chosen. (A bot played for Bo.)", "You choose 3."]);
  expect(log(...before, [played(2), chosen(2), REVEAL]).at(-1)!.slice(1)).toEqual([
    "Bo has chosen. (A bot played for Bo.)",
    "Cy sells 20 for 9.",
    "Bo sells 8 for 5.",
    "You sell 3 for 0.",
  ]);
});

it("names whoever left a seat, not who has it now", () => {
  expect(
    log([{ kind: "joined", seat: 1, name: "Zoe" }], [{ kind: "left", seat: 1 }], [{ kind: "joined", seat: 1, name: "Bo" }]),
  ).toEqual([[null, "Zoe sits down.", "Zoe gets up. The seat is free again.", "Bo sits down."]]);
});

it("tells once that somebody sits down, however often their seed changes", () => {
  const bo: What = { kind: "joined", seat: 1, name: "Bo" };
  const cy: What = { kind: "joined", seat: 2, name: "Cy" };
  expect(log([bo], [cy], [bo], [{ kind: "joined", seat: 2, name: "Cyra" }], [{ kind: "left", seat: 1 }], [bo])).toEqual([
    [null, "Bo sits down.", "Cy sits down.", "Cyra sits down.", "Bo gets up. The seat is free again.", "Bo sits down."],
  ]);
});

it("does not tell how a sale ends before its cards are turned", () => {
  const at = (seq: number, ...events: Event[]): Happening => ({ seq, at: 0, what: played(0), events });
  const happenings = [at(1, SALE), at(2, chosen(0)), at(3, chosen(1), REVEAL), at(4, chosen(2))];
  const [sale] = roundsOf([SALE, REVEAL], 3);
  const [auction] = roundsOf([AUCTION], 3);
  expect(beforeReveal(happenings, sale!)).toEqual(happenings.slice(0, 2));
  expect(beforeReveal(happenings, auction!)).toBe(happenings);
  expect(beforeReveal(happenings, null)).toBe(happenings);
});
