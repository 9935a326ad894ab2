/** Whether the page is dark just now: as chosen, or as the machine has it. */

import { MediaQuery } from "svelte/reactivity";

import { settings } from "../settings.svelte";

const machine = new MediaQuery("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  return settings.theme === "dark" || (settings.theme === "system" && machine.current);
}
