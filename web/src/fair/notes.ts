/**
 * What this browser knows first-hand of a table's shuffle: the commitment that it saw, and the seed that it gave after
 * that. Whatever the table says later is compared with these notes.
 */

import { Kept } from "../kept.svelte";
import type { TableInfo } from "../protocol";

export interface Note {
  /** As it was when this browser first saw the table. */
  readonly commitment: string;
  /** The seed of ours that the server has confirmed, and the seat that it belongs to. */
  readonly seed: string | null;
  readonly seat: number | null;
  /** A seed that may be in the shuffle or not: it was sent and no answer came, or its seat was being given up. */
  readonly unconfirmed: string | null;
}

const notes = new Kept("forsale.promises", isNote);

function isNote(value: unknown): value is Note {
  const note = value as Partial<Note> | null;
  return (
    typeof note === "object" &&
    typeof note?.commitment === "string" &&
    (note.seed === null || typeof note.seed === "string") &&
    (note.seat === null || typeof note.seat === "number") &&
    (note.unconfirmed === null || typeof note.unconfirmed === "string")
  );
}

/** Undefined where this browser was not there, or has forgotten. */
export function noteOf(table: string): Note | undefined {
  return notes.of(table);
}

/** Notes the commitment, if the game is not over: one that is first seen after the game proves nothing. */
export function noteCommitment({ id, status, commitment }: TableInfo): void {
  if (status === "over" || notes.of(id) !== undefined) return;
  notes.keep(id, { commitment, seed: null, seat: null, unconfirmed: null });
}

export function changeNote(table: string, change: Partial<Omit<Note, "commitment">>): void {
  const note = notes.of(table);
  if (note !== undefined) notes.keep(table, { ...note, ...change });
}
