/** Sitting down, and getting up again, with a seed of our own in the shuffle. */

import { api } from "../net/api";
import type { Happening, TableInfo } from "../protocol";
import { changeNote, noteCommitment, noteOf } from "./notes";
import { newSeed } from "./seed";

let queue: Promise<unknown> = Promise.resolve();

/** One after the other: were two seeds under way at once, we could not tell which of them the server took last. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = queue.then(work);
  queue = result.catch(() => {});
  return result;
}

/**
 * Takes a seat, or changes the seed of ours. The commitment is noted before the seed is given: only then does the
 * seed prove anything.
 */
export function sitDown(info: TableInfo, seed: string = newSeed()): Promise<TableInfo> {
  return inTurn(async () => {
    noteCommitment(info);
    changeNote(info.id, { unconfirmed: seed });
    const joined = await api.join(info.id, seed);
    // If the game has begun meanwhile, the seed may have come too late.
    if (joined.status === "waiting") changeNote(info.id, { seed, seat: joined.you, unconfirmed: null });
    return joined;
  });
}

export function getUp(table: string): Promise<TableInfo> {
  return inTurn(async () => {
    const note = noteOf(table);
    changeNote(table, { seed: null, unconfirmed: note?.seed ?? note?.unconfirmed ?? null });
    const left = await api.leave(table);
    changeNote(table, { seat: null, unconfirmed: null });
    return left;
  });
}

/**
 * The seed that this browser has yet to give at a table that waits: a new one where the server has seated us itself,
 * or the one that it has not confirmed. Null if there is none to give.
 */
export function seedOwed(info: TableInfo, happenings: readonly Happening[]): string | null {
  if (info.status !== "waiting" || info.you === null) return null;
  const note = noteOf(info.id);
  if (note !== undefined && note.seed !== null) return null;
  return note?.unconfirmed ?? (isSeatedByServer(happenings, info.you) ? newSeed() : null);
}

/**
 * Whether the server seated us when it opened the table, and nobody has given a seed for us since. Otherwise it was
 * another device of ours that sat down: it has given a seed, and would miss it if we replaced it.
 */
export function isSeatedByServer(happenings: readonly Happening[], you: number): boolean {
  const [opened, ...then] = happenings;
  if (opened?.what.kind !== "opened") return false;
  const next = then.findIndex(({ what }, seat) => what.kind !== "joined" || what.seat !== seat);
  const seated = next < 0 ? then : then.slice(0, next);
  const later = then.slice(seated.length);
  return you < seated.length && !later.some(({ what }) => what.kind === "joined" && what.seat === you);
}
