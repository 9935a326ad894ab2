import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import EndPanel from "../end/EndPanel.svelte";
import { roundsOf } from "../game/rounds";
import { tableInfo } from "../net/testing";
import type { Position, Rules, TableInfo } from "../protocol";
import { settings } from "../settings.svelte";
import { bytesOf, commitmentOf, fairDeal } from "./deal";
import FairCheck from "./FairCheck.svelte";
import { changeNote, noteCommitment } from "./notes";

const SECRET = "ff".repeat(32);
const rules = {
  seats: 3,
  houses: Array.from({ length: 30 }, (_, i) => i + 1),
  cheques: [0, 0, ...Array.from({ length: 28 }, (_, i) => 2 + Math.floor(i / 2))],
  removed: 0,
} as unknown as Rules;
const outcome = { scores: [3, 2, 1], coins: [3, 2, 1], places: [1, 2, 3], winners: [0] };
const position = { rules, outcome } as unknown as Position;

let id: string;
let tables = 0;

/** The end of a game that was dealt from these seeds. */
function over(seeds: readonly string[], change: Partial<TableInfo> = {}) {
  const info = tableInfo({
    id,
    status: "over",
    commitment: commitmentOf(bytesOf(SECRET)!),
    secret: SECRET,
    seeds,
    ...change,
  });
  const { houses, first } = fairDeal(bytesOf(SECRET)!, seeds, rules);
  const market = houses.slice(0, 3).toSorted((a, b) => a - b);
  return { info, position, rounds: roundsOf([{ kind: "dealt", phase: "buying", number: 1, market, opener: first }], 3) };
}

/** What this browser did before the game. */
function gave(seed: string | null): void {
  noteCommitment(tableInfo({ id, status: "waiting", commitment: commitmentOf(bytesOf(SECRET)!) }));
  changeNote(id, { seed, seat: seed === null ? null : 0 });
}

const verdict = () => document.querySelector<HTMLElement>("[data-verdict]")!;

beforeEach(() => {
  id = `checked ${tables++}`;
  settings.language = "en";
});
afterEach(() => cleanup());

describe("the check of a shuffle", () => {
  it("says fair where our seed was used, and marks every step", () => {
    gave("sun");
    render(FairCheck, { ...over(["sun", "", ""]), onclose: () => {} });
    expect(verdict().dataset.verdict).toBe("fair");
    expect(screen.getAllByText("right")).toHaveLength(5);
    expect(screen.queryByText(/another player and the table/)).toBeNull();
  });

  it("does not hide what other players' seeds may mean", () => {
    gave("sun");
    render(FairCheck, { ...over(["sun", "moon", ""]), onclose: () => {} });
    expect(verdict().dataset.verdict).toBe("fair");
    expect(screen.getByText(/another player and the table work together/)).toBeTruthy();
  });

  it("says as committed without seeds, and why", () => {
    gave(null);
    render(FairCheck, { ...over(["", "", ""]), onclose: () => {} });
    expect(verdict().dataset.verdict).toBe("as-committed");
    expect(verdict().textContent).toContain("the table could have tried many deals");
    expect(screen.getAllByText("right")).toHaveLength(4);
    expect(screen.queryByText("wrong")).toBeNull();
  });

  it("says which step failed", () => {
    gave("sun");
    render(FairCheck, { ...over(["", "", ""]), onclose: () => {} });
    expect(verdict().dataset.verdict).toBe("broken");
    expect(verdict().textContent).toContain("The text that your browser added is missing from the shuffle.");
    expect(screen.getAllByText("wrong")).toHaveLength(1);
  });

  it("has nothing to say without a secret", () => {
    render(FairCheck, { ...over(["", "", ""], { secret: null }), onclose: () => {} });
    expect(verdict()).toBeNull();
  });

  it("is told at the end of a game, too", async () => {
    gave("sun");
    render(EndPanel, over(["sun", "", ""]));
    screen.getByRole("button", { name: "Skip" }).click();
    expect((await screen.findByText("Fair: the table could not choose these cards.")).closest("[data-verdict]")).toBe(verdict());
  });
});
