/** Whose turn it is, in words. */

import type { Round } from "../game/rounds";
import { t } from "../i18n/index.svelte";
import type { Position, SeatInfo } from "../protocol";

export function turnInWords(
  position: Position,
  seats: readonly SeatInfo[],
  you: number | null,
  result: Round | null,
): string {
  const name = (seat: number) => seats[seat]?.name ?? "";
  if (result !== null) return resultInWords(result, name, you);
  const { phase, to_act } = position;
  if (phase === "over") return t("table.turn.over");
  if (phase === "selling") return sellingInWords(position, name, you);
  const [seat] = to_act;
  if (seat === undefined) return "";
  return seat === you ? t("table.turn.you") : t("table.turn", { name: name(seat) });
}

function sellingInWords({ to_act }: Position, name: (seat: number) => string, you: number | null): string {
  if (you !== null && to_act.includes(you)) return t("table.turn.choose");
  const [first, ...others] = to_act;
  if (first === undefined) return "";
  return t("table.turn.waiting", { name: name(first), n: others.length });
}

function resultInWords(round: Round, name: (seat: number) => string, you: number | null): string {
  if (round.phase === "selling") return t("table.result.sale", { number: round.number });
  const seat = round.takes.findIndex((take) => take?.won);
  const won = round.takes[seat];
  if (!won || won.house === null) return t("table.result.auction", { number: round.number });
  const values = { name: name(seat), card: won.house, price: won.price };
  return t(seat === you ? "table.result.won.you" : "table.result.won", values);
}
