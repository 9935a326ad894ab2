/** What the tests of the shuffle share. */

import type { Rules } from "../protocol";

/** Those of the game in docs/fair-shuffle.md. */
export const rules: Rules = {
  edition: "iello-2020",
  seats: 4,
  variant: null,
  houses: Array.from({ length: 30 }, (_, i) => i + 1),
  cheques: [0, 0, ...Array.from({ length: 28 }, (_, i) => 2 + Math.floor(i / 2))],
  coins: 21,
  removed: 2,
  deck_size: 28,
  short: 0,
  refund: "down",
  lowest_bid: 1,
};
