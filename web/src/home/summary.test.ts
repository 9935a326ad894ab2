import { describe, expect, it } from "vitest";

import type { GameSummary } from "../protocol";
import { ago, number, othersIn } from "./summary";

const game = { players: ["Bo", "Ana", "", "Cy"], you: 1 } as unknown as GameSummary;

describe("a game in a few words", () => {
  it("names the others who are there", () => expect(othersIn(game, "fr")).toBe("Bo et Cy"));

  it("says so when nobody is", () =>
    expect(othersIn({ ...game, players: ["Ana", "", ""], you: 0 }, "en")).toBe("nobody yet"));

  it.each([
    [0, "this minute"],
    [59_000, "this minute"],
    [-5_000, "this minute"],
    [5 * 60_000, "5 minutes ago"],
    [3 * 3_600_000, "3 hours ago"],
    [26 * 3_600_000, "yesterday"],
  ])("tells that %i ms ago is %s", (past, words) => expect(ago(1e12 - past, 1e12, "en")).toBe(words));

  it("writes numbers as the language does", () => {
    expect(number(87.46, "fr")).toBe("87,5");
    expect(number(2, "en")).toBe("2");
    expect(number(null, "en")).toBe("–");
  });
});
