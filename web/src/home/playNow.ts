/** A game against bots at once, with a seed of ours in its shuffle. */

import { sitDown } from "../fair/seat";
import { api } from "../net/api";
import { notices } from "../notices.svelte";
import type { Options } from "../protocol";
import { router } from "../router.svelte";

/** Throws if no table could be opened. If it could, but not started, its lobby offers the next step. */
export async function playNow(options: Partial<Options>): Promise<void> {
  const { id } = await api.open(options);
  try {
    await sitDown(await api.table(id)); // the commitment first, then the seed
    await api.start(id);
  } catch (error) {
    notices.refused(error);
  }
  router.go(`/t/${id}`);
}
