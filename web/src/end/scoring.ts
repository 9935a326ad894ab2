/** The end of a game in numbers: where each seat's money came from, who is level with whom, the best and worst deals. */

import type { Round } from "../game/rounds";
import type { Outcome } from "../protocol";

/** What one sale brought a seat. In the variant the last one who holds houses sells several at once. */
export interface Earning {
  readonly sale: number;
  readonly houses: readonly number[];
  readonly cheques: readonly number[];
  readonly amount: number;
}

/** A seat's money: its cheques, sale by sale, then the coins it has left. */
export interface Bar {
  readonly seat: number;
  readonly earnings: readonly Earning[];
  readonly cheques: number;
  readonly coins: number;
  readonly score: number;
  readonly place: number;
}

export function barsOf(rounds: readonly Round[], outcome: Outcome): readonly Bar[] {
  const sales = salesOf(rounds);
  return outcome.scores.map((score, seat) => {
    const earnings = sales.map(({ number, sold, cheques }): Earning => {
      const taken = cheques[seat] ?? [];
      return { sale: number, houses: sold[seat] ?? [], cheques: taken, amount: sum(taken) };
    });
    const coins = outcome.coins[seat] ?? 0;
    return { seat, earnings, cheques: score - coins, coins, score, place: outcome.places[seat] ?? 0 };
  });
}

export function salesOf(rounds: readonly Round[]): readonly Round[] {
  return rounds.filter((round) => round.phase === "selling" && round.over);
}

/** The order of the standings: the best place first, within a place by seat. */
export function standings(bars: readonly Bar[]): readonly Bar[] {
  return bars.toSorted((a, b) => a.place - b.place || a.seat - b.seat);
}

/**
 * The order of the drama. Step by step, all bars grow by one sale; then one seat after the other counts its coins, the
 * last place first and the winner last.
 */
export interface Stage {
  /** So many sales are counted. */
  readonly sales: number;
  /** The seats that have counted their coins. */
  readonly counted: readonly number[];
}

export function stagesOf(bars: readonly Bar[]): readonly Stage[] {
  const sales = bars[0]?.earnings.length ?? 0;
  const stages: Stage[] = [];
  for (let counted = 0; counted <= sales; counted++) stages.push({ sales: counted, counted: [] });
  let seats: readonly number[] = [];
  for (const { seat } of standings(bars).toReversed()) {
    seats = [...seats, seat];
    stages.push({ sales, counted: seats });
  }
  return stages;
}

/** What a seat has at that stage. */
export function shownOf(bar: Bar, stage: Stage): number {
  const cheques = sum(bar.earnings.slice(0, stage.sales).map((earning) => earning.amount));
  return cheques + (stage.counted.includes(bar.seat) ? bar.coins : 0);
}

/** Seats with the same score, best place first, and those of them whom not even the coins tell apart. */
export interface Tie {
  readonly score: number;
  readonly bars: readonly Bar[];
  /** Groups of two and more that share a place. */
  readonly shared: readonly (readonly Bar[])[];
}

export function tiesOf(bars: readonly Bar[]): readonly Tie[] {
  const byScore = groups(standings(bars), (bar) => bar.score);
  return byScore
    .filter((group) => group.length > 1)
    .map((group) => ({
      score: group[0]!.score,
      bars: group,
      shared: groups(group, (bar) => bar.place).filter((level) => level.length > 1),
    }));
}

/** A house from its auction to its sale. */
export interface Trade {
  readonly seat: number;
  readonly house: number;
  readonly price: number;
  readonly cheque: number;
}

/** All houses that were sold one by one, the most profitable first. */
export function tradesOf(rounds: readonly Round[]): readonly Trade[] {
  const prices = new Map<number, number>();
  for (const round of rounds) {
    for (const take of round.takes) if (take !== null && take.house !== null) prices.set(take.house, take.price);
  }
  const trades: Trade[] = [];
  for (const { sold, cheques } of salesOf(rounds)) {
    sold.forEach((houses, seat) => {
      const [house, ...others] = houses;
      if (house === undefined || others.length > 0) return;
      trades.push({ seat, house, price: prices.get(house) ?? 0, cheque: sum(cheques[seat] ?? []) });
    });
  }
  return trades.toSorted((a, b) => b.cheque - b.price - (a.cheque - a.price) || a.house - b.house);
}

function groups<Item>(items: readonly Item[], key: (item: Item) => number): readonly (readonly Item[])[] {
  const found = new Map<number, Item[]>();
  for (const item of items) found.set(key(item), [...(found.get(key(item)) ?? []), item]);
  return [...found.values()];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
