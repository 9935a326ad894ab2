import { expect, it } from "vitest";

import { tableInfo } from "../net/testing";
import { notePromise, promiseSeen } from "./promises";

it("notes what was promised when one first came, and only before the end", () => {
  notePromise(tableInfo({ id: "first", commitment: "aa" }));
  notePromise(tableInfo({ id: "first", commitment: "bb" }));
  notePromise(tableInfo({ id: "late", commitment: "cc", status: "over" }));
  expect(promiseSeen("first")).toBe("aa");
  expect(promiseSeen("late")).toBeUndefined();
});
