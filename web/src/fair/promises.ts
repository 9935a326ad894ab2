/** What this browser saw promised before a game: the commitment as it was when one first came to the table. */

import { Kept } from "../kept.svelte";
import type { TableInfo } from "../protocol";

const seen = new Kept("forsale.promises", (value): value is string => typeof value === "string");

/** Notes the promise, if the game is not over: what a table says of it later proves nothing. */
export function notePromise(info: TableInfo): void {
  if (info.status !== "over" && seen.of(info.id) === undefined) seen.keep(info.id, info.commitment);
}

/** Undefined where this browser was not there. */
export function promiseSeen(table: string): string | undefined {
  return seen.of(table);
}
