/** What the check of a shuffle comes to, as far as this browser can vouch for it. */

import type { Checked, Shuffle } from "./check";
import type { Note } from "./notes";

export type Failure =
  | "commitment"
  | "secret"
  | "seed-missing"
  | "seed-replaced"
  | "seed-moved"
  | "seed-bot"
  | "cards"
  | "first";

/** Why this browser cannot vouch for a seed. */
export type Doubt = "no-seeds" | "unconfirmed" | "watched" | "other-device" | "others-only" | "no-note";

export type Verdict =
  /** The cards follow from the committed secret and from a seed that this browser gave after the commitment. */
  | { readonly kind: "fair" }
  /** The cards follow from the committed secret, but this browser cannot vouch for a seed. */
  | { readonly kind: "as-committed"; readonly why: Doubt }
  /** Something differs; the first failure matters most. */
  | { readonly kind: "broken"; readonly failed: readonly Failure[] };

export interface Evidence {
  readonly checked: Checked;
  readonly shuffle: Shuffle;
  /** Which seats bots played: they never give a seed. */
  readonly bots: readonly boolean[];
  /** Our seat as the table tells it; null for a spectator, and for a record from a file. */
  readonly you: number | null;
  readonly note: Note | undefined;
}

export function judge(evidence: Evidence): Verdict {
  const failed = failuresOf(evidence);
  if (failed.length > 0) return { kind: "broken", failed };
  return isOurSeedUsed(evidence) ? { kind: "fair" } : { kind: "as-committed", why: doubtOf(evidence) };
}

function failuresOf(evidence: Evidence): readonly Failure[] {
  const { checked, shuffle, bots, note } = evidence;
  const failed: Failure[] = [];
  if (note !== undefined && note.commitment !== shuffle.commitment) failed.push("commitment");
  if (!checked.promiseKept) failed.push("secret");
  const seed = seedFailure(evidence);
  if (seed !== null) failed.push(seed);
  // The table could try many of them, after it has seen the players' seeds.
  if (bots.some((isBot, seat) => isBot && shuffle.seeds[seat] !== "")) failed.push("seed-bot");
  if (checked.differences.length > 0) failed.push("cards");
  if (!checked.beganAsDealt) failed.push("first");
  return failed;
}

/** Only a seed that the server has confirmed can be missed. */
function seedFailure(evidence: Evidence): Failure | null {
  const { shuffle, note } = evidence;
  if (note === undefined || note.seed === null || isOurSeedUsed(evidence)) return null;
  if (shuffle.seeds.includes(note.seed)) return "seed-moved";
  return seedAt(evidence, ownSeat(evidence)) === "" ? "seed-missing" : "seed-replaced";
}

function isOurSeedUsed(evidence: Evidence): boolean {
  const { note } = evidence;
  const used = seedAt(evidence, ownSeat(evidence));
  return note !== undefined && used !== "" && (used === note.seed || used === note.unconfirmed);
}

function doubtOf(evidence: Evidence): Doubt {
  const { shuffle, you, note } = evidence;
  if (note !== undefined && note.unconfirmed !== null) return "unconfirmed";
  if (shuffle.seeds.every((seed) => seed === "")) return "no-seeds";
  if (you !== null) return seedAt(evidence, you) === "" ? "others-only" : "other-device";
  return note === undefined ? "no-note" : "watched";
}

/** Where our seed belongs: our own note counts more than what the table says. */
function ownSeat({ note, you }: Evidence): number | null {
  return note?.seat ?? you;
}

function seedAt({ shuffle }: Evidence, seat: number | null): string {
  return seat === null ? "" : (shuffle.seeds[seat] ?? "");
}
