/** The choices of a new table: what was chosen last, and all of them in words. */

import { has, t } from "../i18n/index.svelte";
import { known } from "../me.svelte";
import type { Choices, Clock, Options } from "../protocol";
import { settings } from "../settings.svelte";

const KEY = "forsale.options";

export function lastOptions(choices: Choices): Options {
  let kept: unknown = null;
  try {
    kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    // Nothing is kept, or nothing may be.
  }
  return sensible(kept, choices);
}

export function keepOptions(options: Options): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(options));
  } catch {
    // A private window may refuse.
  }
}

/** What was kept as far as this server still has it; its own choice where not. */
export function sensible(kept: unknown, choices: Choices): Options {
  const own = choices.options;
  const was = (typeof kept === "object" && kept !== null ? kept : {}) as Partial<Record<keyof Options, unknown>>;
  const edition = choices.editions.find(({ id }) => id === was.edition) ?? editionOf(own.edition, choices);
  const flag = (name: "listed" | "tracker" | "chat") => (typeof was[name] === "boolean" ? was[name] : own[name]);
  return {
    edition: edition?.id ?? own.edition,
    variant: edition?.variants.find((variant) => variant === was.variant) ?? null,
    seats: edition?.seats.find((seats) => seats === was.seats) ?? own.seats,
    listed: flag("listed"),
    clock: CLOCKS.find((clock) => clockKey(clock) === clockKey(was.clock as Clock | undefined)) ?? own.clock,
    tracker: flag("tracker"),
    bot: choices.bots.find((bot) => bot === was.bot) ?? own.bot,
    chat: flag("chat"),
  };
}

function editionOf(id: string, choices: Choices) {
  return choices.editions.find((edition) => edition.id === id);
}

export const CLOCKS: readonly Clock[] = [
  { kind: "none" },
  { kind: "seconds", decision: 15, bank: 60 },
  { kind: "seconds", decision: 30, bank: 120 },
  { kind: "seconds", decision: 90, bank: 300 },
  { kind: "days", days: 1 },
  { kind: "days", days: 3 },
  { kind: "days", days: 7 },
];

export function clockKey(clock: Clock | undefined): string {
  if (clock?.kind === "seconds") return `seconds ${clock.decision} ${clock.bank}`;
  return clock?.kind === "days" ? `days ${clock.days}` : (clock?.kind ?? "");
}

// --- In words

export function clockInWords(clock: Clock): string {
  if (clock.kind === "seconds") return t("home.clock.seconds", { seconds: clock.decision });
  return clock.kind === "days" ? t("home.clock.days", { days: clock.days }) : t("home.clock.none");
}

/** Where it is plain that it is about the time of a move. */
export function clockInShort(clock: Clock): string {
  if (clock.kind === "seconds") return t("home.clock.short.seconds", { seconds: clock.decision });
  return clock.kind === "days" ? t("home.clock.short.days", { days: clock.days }) : t("home.clock.none");
}

export function editionName(id: string): string {
  const key = `home.edition.${id}`;
  return has(key) ? t(key) : (known.edition(id)?.name ?? id);
}

/** How an edition differs from the others; empty where we do not know. */
export function editionCharacter(id: string): string {
  const key = `home.edition-character.${id}`;
  return has(key) ? t(key) : "";
}

/** The variant's title, as the edition's rulebook has it in the language of the screen, else in our words. */
export function variantTitle(edition: string): string {
  return known.edition(edition)?.words[settings.language]?.scarce ?? t("home.variant.scarce");
}

/** Of a bot that we have no words for, its own; a record's `cmd:Thrifty` is a program that calls itself so. */
export function botName(bot: string): string {
  const key = `home.bot.${bot}`;
  const own = bot.replace(/^cmd:/, "");
  return has(key) ? t(key) : own.charAt(0).toUpperCase() + own.slice(1);
}

export function botCharacter(bot: string): string {
  const key = `home.bot-character.${bot}`;
  return has(key) ? t(key) : "";
}
