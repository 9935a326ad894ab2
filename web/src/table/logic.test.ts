import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Action, Event, Happening } from "../protocol";
import { settings } from "../settings.svelte";
import { Amount } from "./amount.svelte";
import { timeLeft } from "./clock";
import { highestBidder, nextToGo, othersOf, roundsIn } from "./counts";
import { endedBy, standsFor } from "./happened";
import { turnInWords } from "./headline";
import { dealsOf, Reveal } from "./reveal.svelte";
import { auction, auctionRound, person, sale, soldRound } from "./samples";
import { ownLine, seatLine } from "./seatLine";
import { REVEAL, Showing, timeOf } from "./showing.svelte";
import { boundsOf, passDoes, plannable, tookInWords, typed } from "./terms";

beforeEach(() => {
  settings.language = "en";
  settings.pace = 1;
});

describe("what a pass does", () => {
  it("names the house, the loss and what is kept", () => {
    expect(passDoes(auction())).toBe("take 12, lose 2, keep 26");
  });
  it("costs nothing without a bid, or where all comes back", () => {
    expect(passDoes(auction({ pass_terms: { house: 12, refund: 0, price: 0 } }))).toBe("take 12, lose nothing, keep 25");
    expect(passDoes(auction({ pass_terms: { house: 12, refund: 1, price: 0 } }))).toBe("take 12, lose nothing, keep 26");
  });
  it("may take nothing in the variant", () => {
    expect(passDoes(auction({ pass_terms: { house: null, refund: 3, price: 0 } }))).toBe(
      "take nothing, get 3 back, keep 28",
    );
    expect(passDoes(auction({ pass_terms: { house: null, refund: 0, price: 0 } }))).toBe("take nothing, keep 25");
  });
  it("is told in French too", () => {
    settings.language = "fr";
    expect(passDoes(auction())).toBe("prendre la 12, perdre 2, garder 26");
  });
});

describe("what a seat took", () => {
  const take = { house: 7, price: 1, refund: 1, won: false };
  it.each([
    [take, "took 7, paid 1"],
    [{ ...take, price: 0 }, "took 7, paid 0"],
    [{ ...take, house: null, price: 0 }, "passed, no house"],
    [{ ...take, won: true, price: 9 }, "won 7 for 9"],
  ])("%o", (what, words) => expect(tookInWords(what)).toBe(words));
});

describe("the amount to bid", () => {
  const bounds = { least: 6, most: 14 };
  it("is bound by what is legal", () => {
    const legal: Action[] = [{ kind: "bid", amount: 6 }, { kind: "bid", amount: 7 }, { kind: "pass" }];
    expect(boundsOf(legal)).toEqual({ least: 6, most: 7 });
    expect(boundsOf([{ kind: "pass" }])).toBeNull();
  });
  it("begins with the least and stays within bounds", () => {
    const amount = new Amount(() => bounds);
    expect(amount.value).toBe(6);
    amount.step(-1);
    expect(amount.value).toBe(6);
    for (let times = 0; times < 20; times++) amount.step(1);
    expect(amount.value).toBe(14);
    amount.reset();
    expect(amount.value).toBe(6);
  });
  it("can be typed, on the way also below the least", () => {
    const amount = new Amount(() => bounds);
    amount.type("1");
    expect([amount.value, amount.isAllowed]).toEqual([1, false]);
    amount.type("2");
    expect([amount.value, amount.isAllowed]).toEqual([12, true]);
    amount.untype();
    expect(amount.value).toBe(1);
  });
  it("begins anew with a digit that would be too much", () => expect(typed("9", "9", bounds)).toBe("9"));
  it("moves with the highest bid", () => {
    let least = 6;
    const amount = new Amount(() => ({ least, most: 14 }));
    amount.step(1);
    least = 9;
    expect(amount.value).toBe(9);
  });
  it("can be planned up to all one has, until one cannot go higher", () => {
    expect(plannable(auction())).toEqual({ least: 6, most: 28 });
    expect(plannable(auction({ highest_bid: null, bids: [null, null, null] }))).toEqual({ least: 1, most: 25 });
    expect(plannable(auction({ highest_bid: 28 }))).toBeNull();
    expect(plannable(auction({ bidders: [1, 2] }))).toBeNull();
  });
});

describe("counting", () => {
  it("goes clockwise from the one after you", () => {
    expect(othersOf(5, 3)).toEqual([4, 0, 1, 2]);
    expect(othersOf(3, null)).toEqual([0, 1, 2]);
  });
  it("knows the number of auctions, short ones too", () => {
    expect(roundsIn(auction())).toBe(10);
    expect(roundsIn(auction({}, { seats: 5, short: 1, deck_size: 27 }))).toBe(7);
  });
  it("knows the number of sales from the hands", () => {
    expect(roundsIn(sale())).toBe(10);
    expect(roundsIn(sale({ number: 3, hand_sizes: [8, 8, 8] }))).toBe(10);
    expect(roundsIn(sale({ number: 2, hand_sizes: [6, 4, 0] }))).toBe(6); // four more, then the rest at once
  });
  it("knows what the next pass takes and who leads", () => {
    expect(nextToGo(auction())).toBe(12);
    expect(nextToGo(sale())).toBeNull();
    expect(highestBidder(auction())).toBe(2);
    expect(highestBidder(auction({ highest_bid: null }))).toBeNull();
  });
});

describe("the clock", () => {
  it.each([
    [24_000, 0, "0:24"],
    [61_500, 0, "1:02"],
    [3_725_000, 0, "1:02:05"],
    [-50, 0, "0:00"],
    [200_000_000, 0, "2 d 7 h"],
  ])("%i ms", (left, bank, text) => expect(timeLeft(left, bank).text).toBe(text));
  it("says when the bank is used", () => {
    expect(timeLeft(30_000, 40_000).isBank).toBe(true);
    expect(timeLeft(50_000, 40_000).isBank).toBe(false);
    expect(timeLeft(9_000, 0).isShort).toBe(true);
  });
});

describe("lines of a seat", () => {
  const seats = [person("Ana"), person("Bo"), person("Cy")];
  it("says who thinks and who waits", () => {
    const position = auction({ to_act: [1], bids: [3, null, 5] });
    expect(seatLine(1, position, auctionRound(), [], false)).toBe("thinking…");
    expect(seatLine(2, position, auctionRound(), [], false)).toBe("");
    expect(ownLine(0, position, auctionRound(), [], false, true)).toBe("your bid: 3");
    expect(turnInWords(position, seats, 0, null)).toBe("Bo is thinking…");
  });
  it("says who chooses, has chosen, has nothing left", () => {
    const position = sale({ to_act: [0, 1], has_chosen: [false, false, true], hand_sizes: [2, 1, 1] });
    expect(seatLine(1, position, null, [], false)).toBe("choosing…");
    expect(seatLine(2, position, null, [], false)).toBe("chosen");
    expect(turnInWords({ ...position, to_act: [1] }, seats, 0, null)).toBe("Bo is choosing…");
    expect(turnInWords({ ...position, to_act: [1, 2] }, seats, 0, null)).toBe("Bo and 1 other are choosing…");
    expect(ownLine(0, sale({ choice: 8 }), null, [], false, true)).toBe("8 is chosen. You can still change.");
  });
  it("tells results", () => {
    const won = { house: 26, price: 5, refund: 0, won: true };
    expect(turnInWords(auction(), seats, 0, auctionRound({ takes: [won, null, null] }))).toBe("You win 26 for 5.");
    expect(seatLine(0, sale(), soldRound(), [{ seat: 0, house: 28, cheque: 13 }], true)).toBe("28 sold for 13");
    expect(seatLine(1, sale(), soldRound(), [], true)).toBe("chosen");
  });
});

describe("what a happening ends", () => {
  const happening = (...events: Event[]): Happening => ({
    seq: 1,
    at: 0,
    what: { kind: "played", seat: 0, by: "bot" },
    events,
  });
  const resolved = (number: number): Event => ({ kind: "sale-resolved", number, houses: [], cheques: [] });
  it("finds the rounds, also two at once", () => {
    const rounds = [auctionRound({ over: true }), soldRound(), soldRound({ number: 2 })];
    expect(endedBy(happening({ kind: "auction-won", seat: 0, house: 26, price: 5 }), rounds)).toEqual([rounds[0]]);
    expect(endedBy(happening(resolved(1), resolved(2)), rounds)).toEqual([rounds[1], rounds[2]]);
  });
  it("gives each its time, at the user's pace", () => {
    const bid = happening({ kind: "bid-placed", seat: 0, amount: 3 });
    const usual = standsFor(bid);
    settings.pace = 2;
    expect(standsFor(bid)).toBe(2 * usual);
    expect(standsFor(happening())).toBe(0);
  });
});

describe("showing", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("keeps a result for its time", () => {
    const showing = new Showing();
    const round = auctionRound({ over: true });
    showing.show(round);
    vi.advanceTimersByTime(1_799);
    expect(showing.result).toBe(round);
    vi.advanceTimersByTime(1);
    expect(showing.result).toBeNull();
  });
  it("follows the pace, and gives a sale time to be paid", () => {
    const round = soldRound();
    expect(timeOf(round)).toBe(REVEAL.pay + 3 * REVEAL.each + REVEAL.rest);
    settings.pace = 0.5;
    expect(timeOf(round)).toBe((REVEAL.pay + 3 * REVEAL.each + REVEAL.rest) / 2);
  });
  it("shows two results one after the other, and is skipped as a whole", () => {
    const showing = new Showing();
    const rounds = [soldRound(), soldRound({ number: 2 })] as const;
    for (const round of rounds) showing.show(round);
    vi.advanceTimersByTime(timeOf(rounds[0]));
    expect(showing.result).toBe(rounds[1]);
    showing.skip();
    expect(showing.result).toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(showing.result).toBeNull();
  });
  it("turns, ranks and pays, the smallest first", () => {
    const deals = dealsOf(soldRound());
    expect(deals.map(({ seat, house, cheque }) => [seat, house, cheque])).toEqual([
      [1, 8, 0],
      [2, 20, 12],
      [0, 28, 13],
    ]);
    const reveal = new Reveal();
    reveal.start(3);
    expect([reveal.isTurned, reveal.isRanked, reveal.paid]).toEqual([false, false, 0]);
    vi.advanceTimersByTime(REVEAL.turn);
    expect([reveal.isTurned, reveal.isRanked]).toEqual([true, false]);
    vi.advanceTimersByTime(REVEAL.pay - REVEAL.turn);
    expect([reveal.isRanked, reveal.paid]).toEqual([true, 1]);
    vi.advanceTimersByTime(2 * REVEAL.each);
    expect(reveal.paid).toBe(3);
    reveal.start(3, true);
    expect([reveal.isTurned, reveal.paid]).toEqual([true, 3]);
  });
});
