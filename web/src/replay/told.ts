/** A frame of a replay in sentences: those of the log, where the same would have been told at the table. */

import { sentences } from "../panels/sentences";
import type { Frame } from "./frames";

export function toldBy({ moment, events }: Frame, names: readonly string[], you: number | null): string[] {
  const what = { kind: "played", seat: moment.seat ?? 0, by: "person" } as const;
  return sentences({ seq: moment.number, at: 0, what, events }, names, you);
}
