/** A player's seed: the text that a seat adds to the shuffle. */

import { hexOf } from "./deal";

/** As many characters as the server takes. */
export const MAX_SEED = 64;

const RANDOM_BYTES = 16; // 128 bits: nobody can guess it, nor try them all
const RANDOM = new RegExp(`^[0-9a-f]{${2 * RANDOM_BYTES}}$`);

/** A seed that nobody can guess. */
export function newSeed(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

/** Whether a seed looks like one of ours, and not like somebody's own words. */
export function isRandom(seed: string): boolean {
  return RANDOM.test(seed);
}

/** Why the server would refuse a seed. A record cannot hold | and ", nor control characters. */
export function seedProblem(seed: string): "characters" | "length" | null {
  if (/[|"\p{Cc}\p{Cs}]/u.test(seed)) return "characters";
  return [...seed].length > MAX_SEED ? "length" : null; // code points, as the server counts
}
