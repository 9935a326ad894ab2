import { cleanup, fireEvent, render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { learn } from "../i18n/index.svelte";
import { api } from "../net/api";
import type { Round } from "../game/rounds";
import type { Position, TableInfo } from "../protocol";
import { router } from "../router.svelte";
import { settings } from "../settings.svelte";
import EndPanel from "./EndPanel.svelte";

const sale: Round = {
  phase: "selling",
  number: 1,
  market: [0, 12, 13],
  opener: null,
  takes: [],
  sold: [[28], [8], [20]],
  cheques: [[13], [0], [12]],
  over: true,
};
const position = {
  rules: { seats: 3 },
  outcome: { scores: [35, 27, 35], coins: [22, 27, 23], places: [2, 3, 1], winners: [2] },
} as unknown as Position;
const info = {
  id: "abc",
  you: 0,
  seats: ["Ana", "Bo", "Cy"].map((name) => ({ name })),
  commitment: "c",
  secret: "s",
  seeds: null,
  rematch: null,
} as unknown as TableInfo;

const show = (changed: Partial<TableInfo> = {}, props = {}) =>
  render(EndPanel, { info: { ...info, ...changed }, position, rounds: [sale], ...props });

beforeAll(() => learn("en"));
beforeEach(() => {
  settings.language = "en";
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe("the end", () => {
  test("counts slowly, then tells who won and why", async () => {
    show();
    expect(screen.queryByRole("table")).toBeNull();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(screen.getByRole("heading").textContent).toContain("Cy wins with 35");
    expect(screen.getByText("Cy and Ana have 35 each. More coins left decides: Cy 23 and Ana 22.")).toBeTruthy();
    const [, first] = within(screen.getAllByRole("table")[0]!).getAllByRole("row");
    expect(within(first!).getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["1", "12", "23", "35"]);
  });

  test("can be skipped", async () => {
    show();
    await fireEvent.click(screen.getByRole("button", { name: "Skip" }));
    expect(screen.getByRole("heading").textContent).toContain("Cy wins");
  });

  test("offers a rematch, and goes there", async () => {
    const rematch = vi.spyOn(api, "rematch").mockResolvedValue({ id: "new", url: "" });
    const go = vi.spyOn(router, "go").mockReturnValue();
    show();
    await fireEvent.click(screen.getByRole("button", { name: "Rematch" }));
    await vi.waitFor(() => expect(go).toHaveBeenCalledWith("/t/new"));
    expect(rematch).toHaveBeenCalledWith("abc");
  });

  test("leads to a rematch that is there, and offers none to those who watch", () => {
    show({ rematch: "xyz" });
    expect(screen.getByRole("link", { name: "Join the rematch" }).getAttribute("href")).toBe("/t/xyz");
    cleanup();
    show({ you: null });
    expect(screen.queryByText(/rematch/i)).toBeNull();
    expect(screen.getByRole("link", { name: "Replay" }).getAttribute("href")).toBe("/g/abc");
  });

  test("has only what a file can do where there is no table", () => {
    show({ id: "", you: null, secret: null }, { replaying: true });
    const names = [...screen.getAllByRole("link"), ...screen.getAllByRole("button")].map((each) => each.textContent?.trim());
    expect(names.toSorted()).toEqual(["Home", "Skip"]);
  });
});
