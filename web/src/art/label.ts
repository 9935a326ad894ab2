/** What a house is called aloud, and when the mouse rests on it: its number, and what is drawn there. */

import { has, t } from "../i18n/index.svelte";

export function houseLabel(number: number): string {
  const key = `art.house.${number}`;
  return has(key) ? t("art.house", { number, name: t(key) }) : t("art.house.unnamed", { number });
}
