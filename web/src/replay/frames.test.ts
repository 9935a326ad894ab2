import { describe, expect, test } from "vitest";

import type { Event, Moment, Position } from "../protocol";
import { framesOf, hashOf, letterOf, placeOf, roundAfter, roundBefore } from "./frames";

const position = { to_act: [0], bidders: [0, 1, 2] } as unknown as Position;
const moment = (number: number, ...events: Event[]): Moment => ({
  number,
  seat: number === 0 ? null : 0,
  action: null,
  events,
  choices: [],
  position,
});
const dealt = (number: number, phase = "buying"): Event => ({ kind: "dealt", phase, number, market: [1, 2], opener: 0 });
const passed: Event = { kind: "passed", seat: 0, house: 1, refund: 0, price: 0 };
const won: Event = { kind: "auction-won", seat: 1, house: 2, price: 0 };
const chosen: Event = { kind: "house-chosen", seat: 0, house: 1 };
const sold = (number: number): Event => ({ kind: "sale-resolved", number, houses: [[1], [2]], cheques: [[0], [5]] });
const ended: Event = { kind: "game-ended", outcome: { scores: [1, 2], coins: [1, 2], places: [2, 1], winners: [1] } };

const frames = framesOf(
  [
    moment(0, dealt(1)),
    moment(1, passed, won, dealt(2)),
    moment(2, passed, won, dealt(1, "selling")),
    moment(3, chosen),
    // In the variant the last seat sells all it has without being asked.
    moment(4, chosen, sold(1), dealt(2, "selling"), sold(2), ended),
  ],
  2,
);

describe("frames", () => {
  test("stop at each result, and again at the next market", () => {
    expect(frames.map((frame) => frame.events.map((event) => event.kind))).toEqual([
      ["dealt"],
      ["passed", "auction-won"],
      ["dealt"],
      ["passed", "auction-won"],
      ["dealt"],
      ["house-chosen"],
      ["house-chosen", "sale-resolved"],
      ["dealt", "sale-resolved"],
      ["game-ended"],
    ]);
    expect(frames.map((frame) => frame.result && `${frame.result.phase} ${frame.result.number}`)).toEqual([
      null,
      "buying 1",
      null,
      "buying 2",
      null,
      null,
      "selling 1",
      "selling 2",
      null,
    ]);
  });

  test("know all rounds up to them", () => {
    expect(frames.map((frame) => frame.rounds.length)).toEqual([1, 1, 2, 2, 3, 3, 3, 4, 4]);
    expect(frames[1]?.rounds[0]?.over).toBe(true);
    expect(frames[0]?.rounds[0]?.over).toBe(false);
  });

  test("have nobody act while a result is seen", () => {
    expect(frames[1]?.position.to_act).toEqual([]);
    expect(frames[2]?.position.to_act).toEqual([0]);
  });
});

test("from auction to auction, and on to the sales and the end", () => {
  expect([0, 1, 2, 4, 7, 8].map((at) => roundAfter(frames, at))).toEqual([2, 2, 4, 7, 8, 8]);
  expect([8, 7, 5, 4, 1, 0].map((at) => roundBefore(frames, at))).toEqual([7, 4, 4, 2, 0, 0]);
});

describe("the address", () => {
  test.each([
    ["", { at: 0, seat: null }],
    ["#17", { at: 17, seat: null }],
    ["#17-B", { at: 17, seat: 1 }],
    ["#0-F", { at: 0, seat: 5 }],
  ])("%s", (hash, place) => {
    expect(placeOf(hash)).toEqual(place);
    expect(hashOf(place)).toBe(hash);
  });

  test.each(["#", "#main", "#-3", "#1.5", "#17-G", "#17-b", "#17-", "#B", "#123456"])("not one: %s", (hash) => {
    expect(placeOf(hash)).toEqual({ at: 0, seat: null });
  });

  test("letters", () => {
    expect([null, 0, 5].map(letterOf)).toEqual([null, "A", "F"]);
  });
});
