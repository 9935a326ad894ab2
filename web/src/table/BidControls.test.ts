import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Action, Plan, Position } from "../protocol";
import { settings } from "../settings.svelte";
import BidControls from "./BidControls.svelte";
import { auction } from "./samples";

const bids = (least: number, most: number): Action[] =>
  Array.from({ length: most - least + 1 }, (_, at) => ({ kind: "bid", amount: least + at }));
const LEGAL: Action[] = [{ kind: "pass" }, ...bids(6, 14)];

function controls(otherwise: { position?: Position; legal?: Action[]; plan?: Plan; pending?: Action } = {}) {
  const onact = vi.fn();
  const onplan = vi.fn();
  const props = { position: auction(), legal: LEGAL, plan: null, pending: null, ...otherwise, onact, onplan };
  return { onact, onplan, ...render(BidControls, props) };
}
const press = async (key: string) => {
  await fireEvent.keyDown(document.body, { key });
  await tick();
};

beforeEach(() => {
  settings.language = "en";
  settings.confirm = true;
});
afterEach(cleanup);

describe("on one's turn", () => {
  it("bids the least at one tap", async () => {
    const { onact } = controls();
    await fireEvent.click(screen.getByRole("button", { name: "Bid 6" }));
    expect(onact).toHaveBeenCalledWith({ kind: "bid", amount: 6 });
  });
  it("says what a pass does, and passes", async () => {
    const { onact } = controls();
    await fireEvent.click(screen.getByRole("button", { name: "Pass: take 12, lose 2, keep 26" }));
    expect(onact).toHaveBeenCalledWith({ kind: "pass" });
  });
  it("asks before a jump, and takes no for an answer", async () => {
    const { onact } = controls();
    await fireEvent.click(screen.getByRole("button", { name: "One more" }));
    await fireEvent.click(screen.getByRole("button", { name: /^Bid 7/ }));
    expect(onact).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole("button", { name: "Not yet" }));
    expect(screen.getByRole("button", { name: "Bid 6" })).toBeTruthy();
    expect(onact).not.toHaveBeenCalled();
  });
  it("jumps once that is confirmed, or at once where nobody wants to be asked", async () => {
    const { onact } = controls();
    await fireEvent.click(screen.getByRole("button", { name: "One more" }));
    await fireEvent.click(screen.getByRole("button", { name: /^Bid 7/ }));
    await fireEvent.click(screen.getByRole("button", { name: /^Yes, bid 7/ }));
    expect(onact).toHaveBeenCalledWith({ kind: "bid", amount: 7 });
    settings.confirm = false;
    await press("9");
    await press("Enter");
    expect(onact).toHaveBeenLastCalledWith({ kind: "bid", amount: 9 });
  });
  it("is played by keys", async () => {
    const { onact } = controls();
    await press("b");
    expect(onact).toHaveBeenLastCalledWith({ kind: "bid", amount: 6 });
    await press("p");
    expect(onact).toHaveBeenLastCalledWith({ kind: "pass" });
    for (const key of ["1", "2", "Enter", "Enter"]) await press(key);
    expect(onact).toHaveBeenLastCalledWith({ kind: "bid", amount: 12 });
  });
  it("does not take an amount below the least", async () => {
    const { onact } = controls();
    for (const key of ["3", "Enter"]) await press(key);
    expect(onact).not.toHaveBeenCalled();
    expect(screen.getByText("at least 6")).toBeTruthy();
  });
  it("lets alone what is typed into a field", async () => {
    const { onact } = controls();
    const field = document.body.appendChild(document.createElement("input"));
    await fireEvent.keyDown(field, { key: "p" });
    field.remove();
    expect(onact).not.toHaveBeenCalled();
  });
  it("sends nothing twice", async () => {
    const { onact } = controls({ pending: { kind: "bid", amount: 6 } });
    await fireEvent.click(screen.getByRole("button", { name: "Bid 6" }));
    await press("p");
    expect(onact).not.toHaveBeenCalled();
  });
  it("explains a pass that is forced", () => {
    controls({ legal: [{ kind: "pass" }] });
    expect(screen.getByText("You cannot outbid this: only a pass is left.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Bid/ })).toBeNull();
  });
  it("marks a bid of all one has", async () => {
    controls();
    for (const key of ["1", "4"]) await press(key);
    expect(screen.getByText("all you have")).toBeTruthy();
  });
  it("offers to raise up to an amount instead of jumping to it", async () => {
    const { onplan } = controls();
    await fireEvent.click(screen.getByRole("button", { name: "One more" }));
    await fireEvent.click(screen.getByRole("button", { name: "Raise up to 7" }));
    expect(onplan).toHaveBeenCalledWith({ kind: "raise-to", limit: 7 });
  });
});

describe("while others think", () => {
  const position = auction({ to_act: [1] });
  it("plans to pass, and takes it back", async () => {
    const { onplan, rerender } = controls({ position, legal: [] });
    await fireEvent.click(screen.getByRole("button", { name: "Pass when it is my turn" }));
    expect(onplan).toHaveBeenCalledWith({ kind: "pass-on" });
    await rerender({ plan: { kind: "pass-on" } });
    expect(screen.getByText("Planned: pass")).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Take back" }));
    expect(onplan).toHaveBeenLastCalledWith(null);
  });
  it("plans to raise, and never bids", async () => {
    const { onact, onplan } = controls({ position, legal: [] });
    await fireEvent.click(screen.getByRole("button", { name: "One more" }));
    await fireEvent.click(screen.getByRole("button", { name: "Raise up to 7" }));
    expect(onplan).toHaveBeenCalledWith({ kind: "raise-to", limit: 7 });
    for (const key of ["b", "Enter"]) await press(key);
    expect(onact).not.toHaveBeenCalled();
  });
  it("has nothing to press once one has passed", () => {
    controls({ position: auction({ to_act: [1], bidders: [1, 2] }), legal: [] });
    expect(screen.queryAllByRole("button")).toEqual([]);
    expect(screen.getByText("You have passed. The others go on.")).toBeTruthy();
  });
});
