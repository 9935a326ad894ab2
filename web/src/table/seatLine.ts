/** The line that says what a seat is doing, or what became of it. */

import type { Round } from "../game/rounds";
import { t } from "../i18n/index.svelte";
import type { Position } from "../protocol";
import type { Deal } from "./reveal.svelte";
import { tookInWords } from "./terms";

export function seatLine(
  seat: number,
  position: Position,
  round: Round | null,
  got: readonly Deal[],
  isResult: boolean,
): string {
  if (isResult && round?.phase === "selling") {
    return got.length === 0 && (round.sold[seat]?.length ?? 0) > 0 ? t("table.chosen") : soldInWords(got);
  }
  const take = round?.phase === "buying" ? (round.takes[seat] ?? null) : null;
  if (take !== null) return tookInWords(take);
  if (isResult) return "";
  const isToAct = position.to_act.includes(seat);
  if (position.phase === "buying") return isToAct ? t("table.thinking") : bidding(position, seat);
  if (position.phase === "selling") return selling(position, seat, isToAct);
  return "";
}

function soldInWords(got: readonly Deal[]): string {
  return got.map(({ house, cheque }) => t("table.sold", { card: house, amount: cheque })).join(", ");
}

function bidding(position: Position, seat: number): string {
  return (position.bids[seat] ?? null) === null ? t("table.noBid") : "";
}

function selling(position: Position, seat: number, isToAct: boolean): string {
  if (position.has_chosen[seat]) return t("table.chosen");
  return isToAct ? t("table.choosing") : t("table.finished");
}

/** The same for the own seat, and what there is to do. */
export function ownLine(
  seat: number,
  position: Position,
  round: Round | null,
  got: readonly Deal[],
  isResult: boolean,
  canAct: boolean,
): string {
  const isToAct = position.to_act.includes(seat);
  // Cheques that a result still covers are not to be chosen for.
  if (!canAct || (isResult && (position.phase === "selling" || !isToAct))) {
    return seatLine(seat, position, round, got, isResult);
  }
  if (position.phase === "selling") {
    if (position.choice !== null) return t("table.own.chosen", { card: position.choice });
    return isToAct ? t("table.own.choose") : t("table.own.finished");
  }
  const take = isResult ? null : (round?.takes[seat] ?? null);
  if (take !== null) return tookInWords(take);
  const bid = position.bids[seat] ?? null;
  if (position.phase !== "buying") return "";
  return bid === null ? t("table.noBid") : t("table.own.bid", { bid });
}
