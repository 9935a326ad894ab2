import { beforeEach, expect, it } from "vitest";

import type { Happening } from "../protocol";
import { Mutes, mutes } from "./mutes.svelte";
import { sentences } from "./sentences";

/** As after a reload of the page. */
function reloaded(table: string): Mutes {
  const mutes = new Mutes();
  mutes.enter(table);
  return mutes;
}

beforeEach(() => localStorage.clear());

it("is remembered by table, and can be undone", () => {
  const first = reloaded("t1");
  first.mute("Bo");
  first.mute("Bo");
  expect(first.names).toEqual(["Bo"]);

  const later = reloaded("t1");
  expect(later.names).toEqual(["Bo"]);
  later.enter("t2");
  expect(later.names).toEqual([]);
  later.enter("t1");
  later.unmute("Bo");
  expect(reloaded("t1").names).toEqual([]);
});

it("goes along to a rematch, but not over what was chosen there", () => {
  const all = reloaded("t1");
  all.mute("Bo");
  all.carryTo("t2");
  all.enter("t2");
  expect(all.names).toEqual(["Bo"]);
  all.unmute("Bo");
  all.enter("t1");
  all.carryTo("t2");
  all.enter("t2");
  expect(all.names).toEqual([]);
});

it("silences announcements", () => {
  const happening: Happening = { seq: 1, at: 0, what: { kind: "said", seat: 1, name: "Bo", text: "Hi" }, events: [] };
  expect(sentences(happening, ["Ana", "Bo"], 0)).toHaveLength(1);
  mutes.mute("Bo");
  expect(sentences(happening, ["Ana", "Bo"], 0)).toEqual([]);
});

it("lives with a store that is broken", () => {
  localStorage.setItem("forsale.muted", '[["t1", 5], ["t2", ["Bo"]]]');
  expect(reloaded("t1").names).toEqual([]);
  expect(reloaded("t2").names).toEqual(["Bo"]);
  localStorage.setItem("forsale.muted", "no json");
  expect(reloaded("t2").names).toEqual([]);
});
