/** What each sound is made of: a few notes, and rushes of air for paper. */

export type SoundName =
  | "bid"
  | "pass"
  | "take"
  | "deal"
  | "choose"
  | "reveal"
  | "cheque"
  | "turn"
  | "win"
  | "chat";

export interface Note {
  /** `air` is filtered noise. */
  readonly wave: "sine" | "triangle" | "air";
  /** Hertz; for air the middle of its band. */
  readonly pitch: number;
  /** Where the pitch glides to; stays where it is if not given. */
  readonly to?: number;
  /** Seconds after the sound begins. */
  readonly at?: number;
  /** Seconds until it has died away. */
  readonly length: number;
  /** How loud, 0 to 1. */
  readonly level: number;
  /** Seconds until it is at its loudest. */
  readonly attack?: number;
}

function melody(pitches: readonly number[], apart: number, length: number, level: number): Note[] {
  return pitches.map((pitch, index) => ({ wave: "triangle", pitch, at: index * apart, length, level, attack: 0.015 }));
}

const swish = (at: number): Note => ({
  wave: "air",
  pitch: 2_200,
  to: 4_200,
  at,
  length: 0.13,
  level: 0.35,
  attack: 0.03,
});

export const SOUNDS: Readonly<Record<SoundName, readonly Note[]>> = {
  // A knuckle on the agent's desk.
  bid: [
    { wave: "triangle", pitch: 1_050, to: 820, length: 0.07, level: 0.4 },
    { wave: "air", pitch: 3_000, length: 0.025, level: 0.3 },
  ],
  pass: [{ wave: "sine", pitch: 260, to: 150, length: 0.16, level: 0.45, attack: 0.01 }],
  take: [swish(0), { wave: "sine", pitch: 330, to: 300, at: 0.1, length: 0.09, level: 0.25 }],
  deal: [swish(0), swish(0.09), swish(0.18)],
  choose: [
    { wave: "air", pitch: 1_400, to: 900, length: 0.08, level: 0.3, attack: 0.01 },
    { wave: "sine", pitch: 400, to: 370, at: 0.03, length: 0.08, level: 0.2 },
  ],
  // The bell above a shop's door: its overtones are not harmonic.
  reveal: [
    { wave: "sine", pitch: 880, length: 1.1, level: 0.3 },
    { wave: "sine", pitch: 2_429, length: 0.6, level: 0.12 },
    { wave: "sine", pitch: 4_752, length: 0.3, level: 0.06 },
  ],
  cheque: [
    { wave: "triangle", pitch: 1_319, length: 0.08, level: 0.2 },
    { wave: "triangle", pitch: 1_976, at: 0.06, length: 0.28, level: 0.2 },
  ],
  turn: melody([587, 880], 0.12, 0.3, 0.3),
  win: melody([523, 659, 784, 1_047], 0.12, 0.45, 0.28),
  chat: [{ wave: "sine", pitch: 620, to: 930, length: 0.1, level: 0.22, attack: 0.01 }],
};
