/** Whom this browser does not want to hear: by name, table by table. Nobody else learns of it. */

import { Kept } from "../kept.svelte";

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

export class Mutes {
  #table = $state("");
  readonly #kept = new Kept("forsale.muted", isNames);

  /** From now on it is about this table. */
  enter(table: string): void {
    this.#table = table;
  }

  get names(): readonly string[] {
    return this.#kept.of(this.#table) ?? [];
  }

  mute(name: string): void {
    if (!this.names.includes(name)) this.#kept.keep(this.#table, [...this.names, name]);
  }

  unmute(name: string): void {
    this.#kept.keep(this.#table, this.names.filter((other) => other !== name));
  }

  /** The same people go on at another table: whoever was muted stays so. */
  carryTo(table: string): void {
    if (this.names.length > 0 && this.#kept.of(table) === undefined) this.#kept.keep(table, this.names);
  }
}

export const mutes = new Mutes();

/** Whether this person's lines and reactions shall not be shown or heard at the table on the screen. */
export function isMuted(name: string): boolean {
  return mutes.names.includes(name);
}
