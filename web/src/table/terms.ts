/** What one's own pass and bids mean, in words and bounds. */

import { t } from "../i18n/index.svelte";
import type { Action, Position } from "../protocol";
import type { Take } from "../game/rounds";

/** What a pass does for the seat that looks on, when it is that seat's turn: "Take 12, lose 1, keep 14". */
export function passDoes(position: Position): string {
  const { seat, coins, pass_terms } = position;
  if (seat === null || pass_terms === null) return "";
  const { house, refund, price } = pass_terms;
  const keep = (coins[seat] ?? 0) + refund;
  if (house === null) {
    return refund > 0 ? t("table.pass.empty", { refund, keep }) : t("table.pass.nothing", { keep });
  }
  return price > 0 ? t("table.pass.lose", { card: house, price, keep }) : t("table.pass.free", { card: house, keep });
}

/** What a seat got out of an auction: "took 7, paid 1". */
export function tookInWords(take: Take): string {
  if (take.house === null) return t("table.took.nothing");
  if (take.won) return t("table.won", { card: take.house, price: take.price });
  return take.price > 0
    ? t("table.took", { card: take.house, price: take.price })
    : t("table.took.free", { card: take.house });
}

/** The bids that may be made now; null when there are none. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function boundsOf(legal: readonly Action[]): Bounds | null {
  const amounts = legal.flatMap((action) => (action.kind === "bid" ? [action.amount] : []));
  if (amounts.length === 0) return null;
  return { least: Math.min(...amounts), most: Math.max(...amounts) };
}

/** The bids that one could plan for: from one more than the highest to all one has. */
export function plannable(position: Position): Bounds | null {
  const { seat, bidders, bids, coins, highest_bid, rules } = position;
  if (seat === null || position.phase !== "buying" || !bidders.includes(seat)) return null;
  const least = highest_bid === null ? rules.lowest_bid : highest_bid + 1;
  const most = (coins[seat] ?? 0) + (bids[seat] ?? 0);
  return least > most ? null : { least, most };
}

export function clamp(amount: number, { least, most }: Bounds): number {
  return Math.min(most, Math.max(least, amount));
}

export function isWithin(amount: number, { least, most }: Bounds): boolean {
  return amount >= least && amount <= most;
}

/** The amount after one more digit key; digits that could only lead above the most begin anew. */
export function typed(before: string, digit: string, { most }: Bounds): string {
  const longer = String(Number(before + digit));
  return Number(longer) <= most ? longer : digit;
}
