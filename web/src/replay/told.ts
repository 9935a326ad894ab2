/** A frame of a replay in words and sounds: those of the table. Whoever looks on is nobody of those who play. */

import { sentences } from "../panels/sentences";
import type { Happening } from "../protocol";
import { sound, soundOf } from "../sound/sound";
import type { Frame } from "./frames";

export function toldBy(frame: Frame, names: readonly string[]): string[] {
  return sentences(happeningOf(frame), names, null);
}

export function playSoundOf(frame: Frame): void {
  const name = soundOf(happeningOf(frame), null);
  if (name !== null) sound.play(name);
}

function happeningOf({ moment, events }: Frame): Happening {
  return { seq: moment.number, at: 0, what: { kind: "played", seat: moment.seat ?? 0, by: "person" }, events };
}
