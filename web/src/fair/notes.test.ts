import { expect, it } from "vitest";

import { tableInfo } from "../net/testing";
import { changeNote, noteCommitment, noteOf } from "./notes";

it("notes the commitment when this browser first sees the table, and only before the end", () => {
  noteCommitment(tableInfo({ id: "first", commitment: "aa" }));
  noteCommitment(tableInfo({ id: "first", commitment: "bb" }));
  noteCommitment(tableInfo({ id: "late", commitment: "cc", status: "over" }));
  expect(noteOf("first")).toEqual({ commitment: "aa", seed: null, seat: null, unconfirmed: null });
  expect(noteOf("late")).toBeUndefined();
});

it("keeps a seed with the commitment, in the storage", () => {
  noteCommitment(tableInfo({ id: "seeded", commitment: "aa" }));
  changeNote("seeded", { seed: "sun", seat: 2 });
  expect(noteOf("seeded")).toEqual({ commitment: "aa", seed: "sun", seat: 2, unconfirmed: null });
  expect(localStorage.getItem("forsale.promises")).toContain('"seed":"sun"');
});

it("has nothing to say of a seed at a table that it has never seen", () => {
  changeNote("unseen", { seed: "sun", seat: 2 });
  expect(noteOf("unseen")).toBeUndefined();
});
