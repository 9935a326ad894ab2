import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import type { Action } from "../protocol";
import { settings } from "../settings.svelte";
import Hand from "./Hand.svelte";

const LEGAL: Action[] = [4, 11, 23].map((house) => ({ kind: "sell", house }));

beforeEach(() => void (settings.language = "en"));
afterEach(cleanup);

it("shows houses ascending, and no buttons where nothing can be sold", () => {
  render(Hand, { houses: [23, 4, 11] });
  expect(screen.getAllByRole("img").map((card) => card.getAttribute("aria-label"))).toEqual([
    "House 4, wine barrel",
    "House 11, stilt hut",
    "House 23, château",
  ]);
  expect(screen.queryAllByRole("button")).toEqual([]);
});

it("sells at a tap, and lets one change one's mind", async () => {
  const onact = vi.fn();
  const { rerender } = render(Hand, { houses: [4, 11, 23], legal: LEGAL, onact, large: true });
  await fireEvent.click(screen.getByRole("button", { name: "Sell 11" }));
  expect(onact).toHaveBeenCalledWith({ kind: "sell", house: 11 });
  await rerender({ choice: 11 });
  const chosen = screen.getByRole("button", { name: "11, chosen" });
  expect(chosen.getAttribute("aria-pressed")).toBe("true");
  await fireEvent.click(chosen);
  expect(onact).toHaveBeenCalledTimes(1);
  await fireEvent.click(screen.getByRole("button", { name: "Sell 4" }));
  expect(onact).toHaveBeenLastCalledWith({ kind: "sell", house: 4 });
});

it("shows a choice at once, while the server is told", () => {
  render(Hand, { houses: [4, 11], legal: LEGAL, onact: vi.fn(), pending: { kind: "sell", house: 4 } });
  expect(screen.getByRole("button", { name: "4, chosen" })).toBeTruthy();
});

it("moves among the houses by arrows", async () => {
  render(Hand, { houses: [4, 11, 23], legal: LEGAL, onact: vi.fn() });
  const at = () => (document.activeElement as HTMLElement).dataset.house;
  await fireEvent.keyDown(document.body, { key: "ArrowRight" });
  expect(at()).toBe("4");
  await fireEvent.keyDown(document.activeElement!, { key: "ArrowRight" });
  expect(at()).toBe("11");
  await fireEvent.keyDown(document.activeElement!, { key: "ArrowLeft" });
  await fireEvent.keyDown(document.activeElement!, { key: "ArrowLeft" });
  expect(at()).toBe("23");
});
