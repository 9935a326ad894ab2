/** A record in the shape of a table, for all that draws tables. */

import { shuffleOfTags } from "../fair/check";
import type { Replay, SeatInfo, TableInfo } from "../protocol";

export function seatsOf({ players, tags }: Replay): readonly SeatInfo[] {
  const bots = tags.Bots?.split("|") ?? [];
  return players.map((name, seat) => ({
    name,
    bot: bots[seat] || null,
    taken: true,
    connected: true,
    away: false,
    deadline: null,
    bank: 0,
  }));
}

/** `id` is empty where the record does not come from a table of this server. */
export function infoOf(replay: Replay, id: string): TableInfo {
  const { rules, tags } = replay;
  const shuffle = shuffleOfTags(tags, rules.seats);
  return {
    id,
    options: {
      edition: rules.edition,
      variant: rules.variant,
      seats: rules.seats,
      listed: false,
      clock: { kind: "none" },
      tracker: true,
      bot: "",
      chat: false,
    },
    status: "over",
    seats: seatsOf(replay),
    you: null,
    you_are_host: false,
    spectators: 0,
    chat: false,
    commitment: shuffle?.commitment ?? "",
    secret: shuffle?.secret ?? null,
    seeds: shuffle?.seeds ?? null,
    rematch: null,
  };
}
