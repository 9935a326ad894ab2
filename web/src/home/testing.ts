/** What holds where nothing else is chosen, as a server tells it, for the tests of what is chosen. */

import type { Options } from "../protocol";

export const own: Options = {
  edition: "iello-2020",
  variant: null,
  seats: 4,
  listed: false,
  clock: { kind: "none" },
  tracker: false,
  bot: "broker",
  chat: true,
};
