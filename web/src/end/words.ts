/** The end of a game in sentences. */

import { t } from "../i18n/index.svelte";
import { listed } from "../panels/sentences";
import type { Bar, Tie, Trade } from "./scoring";

type Name = (seat: number) => string;

/** How a tie was broken, or that it was not. */
export function tieSentence({ score, bars, shared }: Tie, name: Name): string {
  const names = (group: readonly Bar[]) => listed(group.map((bar) => name(bar.seat)));
  const [level] = shared;
  if (level?.length === bars.length) {
    return t("end.tie.level", { names: names(bars), score, n: bars[0]!.coins, result: resultOf(level) });
  }
  const coins = listed(bars.map((bar) => t("end.tie.coins", { name: name(bar.seat), n: bar.coins })));
  const sentence = t("end.tie.broken", { names: names(bars), score, list: coins });
  const rest = shared.map((group) => t("end.tie.rest", { names: names(group), result: resultOf(group) }));
  return [sentence, ...rest].join(" ");
}

function resultOf(level: readonly Bar[]): string {
  const place = level[0]!.place;
  return place === 1 ? t("end.tie.victory") : t("end.tie.place", { place });
}

export function tradeSentence(key: "best" | "worst", { seat, house, price, cheque }: Trade, name: Name): string {
  return t(price > 0 ? `end.${key}` : `end.${key}.free`, { name: name(seat), number: house, price, amount: cheque });
}
