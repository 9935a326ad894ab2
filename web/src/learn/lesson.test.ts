/** The lesson's steps against the record that they tell, read here with just as much of the rules as it needs. */

import { beforeAll, describe, expect, test } from "vitest";

import { CATALOGUES, learn, t } from "../i18n/index.svelte";
import type { Action, Event, Moment, Position, Replay } from "../protocol";
import { LANGUAGES } from "../i18n/index.svelte";
import type { Language } from "../settings.svelte";
import { settings } from "../settings.svelte";
import { isSame, legalAt, LEARNER, STEPS, stepsOf } from "./lesson";
import text from "./lesson.fsr?raw";

const LINES = text.split("\n\n")[1]!.trim().split("\n");
const SEATS = 4;

/** The record as the server would show it to seat A, move by move. */
function replayed(): Replay {
  const moments: Moment[] = [];
  let coins = Array<number>(SEATS).fill(21);
  let hand: number[] = [];
  let waiting: Event[] = [];
  for (const [index, line] of LINES.entries()) {
    const [head = "", moves = "", takes = ""] = line.split(/ [:|] ?/);
    const [name = "", ...cards] = head.split(" ");
    const isAuction = name.startsWith("B");
    const number = Number(name.slice(1));
    const took = takes.split(" ").map((take) => take.slice(1).split("@").map(Number));
    const bids = Array<number | null>(SEATS).fill(null);
    let market = cards.map(Number);
    let choice: number | null = null;
    const at = (): Position =>
      ({ rules: { lowest_bid: 1, seats: SEATS }, seat: LEARNER, market, coins: [...coins], bids: [...bids], choice,
        highest_bid: bids.some((bid) => bid !== null) ? Math.max(...bids.map((bid) => bid ?? 0)) : null,
        hands: [hand], to_act: [], bidders: [], pass_terms: { refund: Math.floor((bids[LEARNER] ?? 0) / 2) } }) as unknown as Position;
    const opener = isAuction ? "ABCD".indexOf(moves[0]!) : null;
    waiting.push({ kind: "dealt", phase: isAuction ? "buying" : "selling", number, market, opener });
    if (index === 0) moments.push({ number: 0, seat: null, action: null, events: waiting, choices: [], position: at() });
    else moments[moments.length - 1] = { ...moments.at(-1)!, events: [...moments.at(-1)!.events, ...waiting], position: at() };
    waiting = [];
    const played = moves.split(" ");
    for (const [turn, move] of played.entries()) {
      const seat = "ABCD".indexOf(move[0]!);
      const amount = Number(move.slice(1));
      const events: Event[] = [];
      let action: Action;
      if (!isAuction) {
        action = { kind: "sell", house: amount };
        if (seat === LEARNER) [choice, hand] = [amount, hand.filter((house) => house !== amount)];
        events.push({ kind: "house-chosen", seat, house: seat === LEARNER ? amount : null });
        if (turn === played.length - 1) {
          const houses = played.map((each) => [Number(each.slice(1))]);
          events.push({ kind: "sale-resolved", number, houses, cheques: took.map(([cheque]) => [cheque!]) });
        }
      } else if (move.endsWith("-")) {
        action = { kind: "pass" };
        const [house = 0, price = 0] = took[seat]!;
        const refund = (bids[seat] ?? 0) - price;
        coins = coins.with(seat, coins[seat]! + refund);
        bids[seat] = null;
        market = market.slice(1);
        events.push({ kind: "passed", seat, house, refund, price });
        if (seat === LEARNER) hand = [...hand, house];
        if (turn === played.length - 1) {
          const winner = took.findIndex(([each]) => each === market[0]);
          events.push({ kind: "auction-won", seat: winner, house: market[0]!, price: took[winner]![1]! });
          if (winner === LEARNER) hand = [...hand, market[0]!];
        }
      } else {
        action = { kind: "bid", amount };
        coins = coins.with(seat, coins[seat]! - amount + (bids[seat] ?? 0));
        bids[seat] = amount;
        events.push({ kind: "bid-placed", seat, amount });
      }
      moments.push({ number: moments.length, seat, action, events, choices: [], position: at() });
    }
  }
  return { tags: {}, players: ["Ana", "Bo", "Cy", "Dot"], rules: { seats: SEATS } as Replay["rules"], seat: LEARNER, moments };
}

const steps = stepsOf(replayed());

beforeAll(async () => {
  await learn("en");
  await learn("fr");
});

test("each step has a frame, and the last one is the second sale", () => {
  expect(steps.map((step) => step.name)).toEqual([...STEPS]);
  expect(steps.at(-1)?.frame.result).toMatchObject({ phase: "selling", number: 2 });
});

test("the learner bids, is overbid, raises, passes, jumps, and sells twice", () => {
  const wanted = steps.flatMap(({ name, want }) => (want === null ? [] : [[name, want] as const]));
  expect(wanted).toEqual([
    ["open", { kind: "bid", amount: 1 }],
    ["again", { kind: "bid", amount: 4 }],
    ["dear", { kind: "pass" }],
    ["jump", { kind: "bid", amount: 5 }],
    ["sale", { kind: "sell", house: 23 }],
    ["poor", { kind: "sell", house: 7 }],
  ]);
});

test("what is wanted is legal, and not the only thing that is", () => {
  for (const step of steps) {
    const legal = legalAt(step);
    if (step.want === null) expect(legal).toEqual([]);
    else {
      expect(legal.some((action) => isSame(action, step.want!))).toBe(true);
      expect(legal.length).toBeGreaterThan(2);
    }
  }
});

test("the jump is one, and half of the learner's bid comes back", () => {
  const jump = steps.find((step) => step.name === "jump")!;
  expect(jump.want).toEqual({ kind: "bid", amount: 5 });
  expect(jump.frame.position.highest_bid).toBe(1);
  expect(steps.find((step) => step.name === "dear")!.values).toMatchObject({ standing: 4, back: 2, lowest: 19 });
  expect(steps.find((step) => step.name === "passed")!.values).toMatchObject({ card: 19, price: 2, best: 27, paid: 6, name: "Dot" });
  expect(steps.find((step) => step.name === "revealed")!.values).toMatchObject({ card: 23, amount: 11 });
});

describe.each(Object.keys(LANGUAGES) as Language[])("told in %s", (language) => {
  test("every step and every answer has its sentence, with the record's numbers in it", () => {
    settings.language = language;
    for (const { name, values, want } of steps) {
      expect(t(`learn.step.${name}`, values)).not.toMatch(/[{}]|undefined|NaN/);
      if (want !== null) expect(t(`learn.why.${name}`, values)).not.toMatch(/[{}]/);
    }
  });

  test("no sentence holds a number of its own", () => {
    for (const [key, message] of Object.entries(CATALOGUES[language])) {
      if (/^learn\.(step|why)\./.test(key)) expect(message.replace(/\{\w+\}/g, "")).not.toMatch(/\d/);
    }
  });
});

test("actions are compared by what they do", () => {
  expect(isSame({ kind: "pass" }, { kind: "pass" })).toBe(true);
  expect(isSame({ kind: "bid", amount: 2 }, { kind: "bid", amount: 3 })).toBe(false);
  expect(isSame({ kind: "sell", house: 2 }, { kind: "bid", amount: 2 })).toBe(false);
});
