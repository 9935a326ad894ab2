/** A game of ours in a few words. */

import { t } from "../i18n/index.svelte";
import type { GameSummary } from "../protocol";

/** The others at the table, as a list in words. Seats that nobody has taken have no name. */
export function othersIn({ players, you }: GameSummary, language: string): string {
  const others = players.filter((name, seat) => seat !== you && name !== "");
  return others.length === 0 ? t("home.mine.nobody") : new Intl.ListFormat(language).format(others);
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** How long ago something was, roughly. */
export function ago(then: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, length] of UNITS) {
    const many = Math.floor((now - then) / length);
    if (many > 0) return format.format(-many, unit);
  }
  return format.format(0, "minute");
}

/** A number with one decimal at most; a dash for none. */
export function number(value: number | null, language: string): string {
  return value === null ? "–" : new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);
}
