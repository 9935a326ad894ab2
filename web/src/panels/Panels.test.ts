import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Refused } from "../net/api";
import type { Table } from "../net/table.svelte";
import type { Happening, What } from "../protocol";
import { settings } from "../settings.svelte";
import Panels from "./Panels.svelte";

const said = (seat: number | null, name: string, text: string): What => ({ kind: "said", seat, name, text });
const seat = (name: string, bot: string | null = null) => ({ name, bot, taken: true });

let tables = 0;

function tableOf(whats: readonly What[], more: Record<string, unknown> = {}): Table {
  const happenings = whats.map((what, index): Happening => ({ seq: index + 1, at: 0, what, events: [] }));
  const { tracker = false, ...rest } = more;
  const info = {
    options: { tracker, seats: 3 },
    seats: [seat("Ana"), seat("Bo"), seat("Cy", "broker")],
    you_are_host: false,
    chat: true,
    rematch: null,
  };
  const bare = { id: `t${tables}`, you: 0, link: "open", info, position: null, rounds: [], happenings, ...rest };
  return bare as unknown as Table;
}

function onScreenOf(width: "wide" | "narrow") {
  const query = { matches: width === "wide", addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal("matchMedia", () => query);
}

beforeEach(() => {
  tables++; // what is kept of one table is nothing to the next
  settings.language = "en";
  onScreenOf("wide");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("beside the table", () => {
  it("has tabs that the arrows turn, and a tracker only where the table has one", async () => {
    const { rerender } = render(Panels, { table: tableOf([{ kind: "opened" }], { tracker: true }) });
    expect(screen.getAllByRole("tab").map((tab) => tab.tabIndex)).toEqual([0, -1, -1]);
    expect(screen.getByText("The table is open.")).toBeTruthy();

    await fireEvent.keyDown(screen.getByRole("tablist"), { key: "ArrowLeft" });
    const tracker = screen.getByRole("tab", { name: "Tracker" });
    expect(tracker.getAttribute("aria-selected")).toBe("true");
    expect(document.activeElement).toBe(tracker);
    await fireEvent.keyDown(screen.getByRole("tablist"), { key: "ArrowRight" });
    expect(screen.getByRole("tab", { name: "Log" }).getAttribute("aria-selected")).toBe("true");

    await rerender({ table: tableOf([{ kind: "opened" }]) });
    expect(screen.queryByRole("tab", { name: "Tracker" })).toBeNull();
  });

  it("counts what was not read until the chat is looked at, also after a reload", async () => {
    const whats = [said(1, "Bo", "Hello"), said(0, "Ana", "Hi"), said(null, "Eve", "Hey")];
    const { rerender, unmount } = render(Panels, { table: tableOf(whats) });
    await fireEvent.click(screen.getByRole("tab", { name: /Chat.*2 new/ }));
    expect(screen.getByRole("tab", { name: "Chat" })).toBeTruthy();
    expect(screen.getByText("Hello")).toBeTruthy();
    expect(screen.getByText("watching")).toBeTruthy();

    await fireEvent.click(screen.getByRole("tab", { name: "Log" }));
    await rerender({ table: tableOf([...whats, said(1, "Bo", "Again")]) });
    expect(screen.getByRole("tab", { name: /Chat.*1 new/ })).toBeTruthy();

    unmount();
    render(Panels, { table: tableOf([...whats, said(1, "Bo", "Again")]) });
    expect(screen.getByRole("tab", { name: /Chat.*1 new/ })).toBeTruthy();
  });
});

describe("the chat", () => {
  async function chat(whats: readonly What[], more: Record<string, unknown> = {}) {
    render(Panels, { table: tableOf(whats, more) });
    await fireEvent.click(screen.getByRole("tab", { name: /Chat/ }));
  }

  it("mutes people, not bots, and can undo it", async () => {
    await chat([said(1, "Bo", "Hello"), said(0, "Ana", "Hi")]);
    expect(screen.queryByRole("button", { name: "Mute Cy", hidden: true })).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "Mute Bo", hidden: true }));
    expect(screen.queryByText("Hello")).toBeNull();
    expect(screen.getByText("Hi")).toBeTruthy();
    expect(screen.getByText("1 muted")).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Unmute Bo", hidden: true }));
    expect(screen.getByText("Hello")).toBeTruthy();
  });

  it("empties the line once it is stored, and keeps it with a word when it was refused", async () => {
    const say = vi.fn(async (text: string) => {
      if (text === "too fast") throw new Refused("chat/too-fast", "Too many lines.");
    });
    await chat([], { say });
    const line = screen.getByLabelText<HTMLInputElement>("Message");
    await fireEvent.input(line, { target: { value: "  hello " } });
    await fireEvent.submit(line.form!);
    await vi.waitFor(() => expect(line.value).toBe(""));
    expect(say).toHaveBeenCalledWith("hello");

    await fireEvent.input(line, { target: { value: "too fast" } });
    await fireEvent.submit(line.form!);
    await vi.waitFor(() => expect(screen.getByText(/a little fast/)).toBeTruthy());
    expect(line.value).toBe("too fast");
    expect(screen.getByText("8/280")).toBeTruthy();
  });

  it("can be switched off, but is still there to read", async () => {
    const table = tableOf([said(1, "Bo", "Hello")]);
    await chat([said(1, "Bo", "Hello")], { info: { ...table.info, chat: false } });
    expect(screen.getByText("The chat is switched off at this table.")).toBeTruthy();
    expect(screen.queryByLabelText("Message")).toBeNull();
    expect(screen.getByText("Hello")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Switch the chat/, hidden: true })).toBeNull();
  });
});

it("is a sheet on a phone, whose way back says when it is my turn", async () => {
  onScreenOf("narrow");
  render(Panels, { table: tableOf([said(1, "Bo", "Hello")], { position: { to_act: [0] } }) });
  expect(screen.queryByRole("tablist")).toBeNull();
  await fireEvent.click(screen.getByRole("button", { name: /Chat.*1 new/ }));
  await vi.waitFor(() => expect(screen.getByText("Hello")).toBeTruthy());
  await fireEvent.click(screen.getByRole("button", { name: "Your turn: back to the table" }));
  await vi.waitFor(() => expect(screen.queryByText("Hello")).toBeNull());
  expect(screen.getByRole("button", { name: "Chat" })).toBeTruthy();
});
