/** How much time a happening is given on the table before the next one is shown. */

import type { Round } from "../game/rounds";
import type { Happening } from "../protocol";
import { settings } from "../settings.svelte";

/** Milliseconds at the usual pace: bots think faster than anybody can read. */
const STANDS = { bid: 480, pass: 700, choice: 160, deal: 700 } as const;

/** The rounds that this happening has ended: two at once where the variant's last seat takes all that is left. */
export function endedBy(happening: Happening, rounds: readonly Round[]): readonly Round[] {
  return happening.events.flatMap((event) => {
    if (event.kind === "auction-won") return rounds.findLast(({ phase, over }) => phase === "buying" && over) ?? [];
    if (event.kind !== "sale-resolved") return [];
    return rounds.find(({ phase, number }) => phase === "selling" && number === event.number) ?? [];
  });
}

export function standsFor({ events }: Happening): number {
  const [event] = events;
  const stands = {
    "bid-placed": STANDS.bid,
    passed: STANDS.pass,
    "house-chosen": STANDS.choice,
    dealt: STANDS.deal,
  }[event?.kind as string];
  return (stands ?? 0) * settings.pace;
}
