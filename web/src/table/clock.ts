/** The time that a seat has left, as one reads it at a glance. */

import { t } from "../i18n/index.svelte";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HURRY = 10_000;

export interface Left {
  readonly text: string;
  /** The time for this decision is over: what runs now is the bank. */
  readonly isBank: boolean;
  readonly isShort: boolean;
}

/** `left` and `bank` are milliseconds; the bank is part of what is left. */
export function timeLeft(left: number, bank: number): Left {
  const isShort = left <= HURRY;
  const isBank = bank > 0 && left <= bank;
  return { text: inWords(Math.max(0, left)), isBank, isShort };
}

function inWords(left: number): string {
  if (left >= DAY) {
    return t("table.clock.days", { days: Math.floor(left / DAY), hours: Math.floor((left % DAY) / HOUR) });
  }
  const seconds = Math.ceil(left / 1000);
  const pad = (part: number) => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60) % 60;
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}
