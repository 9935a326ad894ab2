/** The check of a game that is over, with what this browser has noted of it. */

import type { Round } from "../game/rounds";
import type { Rules, TableInfo } from "../protocol";
import { check, type Checked, type Shuffle } from "./check";
import { noteOf } from "./notes";
import { judge, type Verdict } from "./verdict";

export interface Examined {
  readonly shuffle: Shuffle;
  readonly checked: Checked;
  readonly verdict: Verdict;
}

/** Null where there is nothing to check with. */
export function examine(info: TableInfo, rules: Rules, rounds: readonly Round[]): Examined | null {
  if (info.secret === null || info.commitment === "") return null;
  const seeds = info.seeds ?? info.seats.map(() => "");
  const shuffle = { commitment: info.commitment, secret: info.secret, seeds };
  const checked = check(shuffle, rules, rounds);
  if (checked === null) return null;
  const bots = info.seats.map(({ bot }) => bot !== null);
  return { shuffle, checked, verdict: judge({ checked, shuffle, bots, you: info.you, note: noteOf(info.id) }) };
}
