import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { known } from "../me.svelte";
import { api, Refused } from "../net/api";
import type { Table } from "../net/table.svelte";
import { tableInfo } from "../net/testing";
import { notices } from "../notices.svelte";
import type { TableInfo } from "../protocol";
import { settings } from "../settings.svelte";
import Lobby from "./Lobby.svelte";

const FREE = { name: "", bot: null, taken: false, connected: false, away: false, deadline: null, bank: 0 };
const ANA = { ...FREE, name: "Ana", taken: true, connected: true };

function show(change: Partial<TableInfo>): void {
  const info = tableInfo({ status: "waiting", seats: [ANA, FREE, FREE], ...change });
  render(Lobby, { table: { info } as Table });
}

beforeEach(() => {
  settings.language = "en";
  known.me = { id: "g", name: "Guest 1234" };
  vi.spyOn(known, "ready").mockResolvedValue();
});
afterEach(() => {
  cleanup();
  notices.all.forEach(({ id }) => notices.dismiss(id));
});

describe("the lobby", () => {
  it("tells the host how many bots will come, and starts", async () => {
    const start = vi.spyOn(api, "start").mockResolvedValue(tableInfo());
    show({});
    expect(screen.getByText("Bots take the 2 free seats.")).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Start the game" }));
    expect(start).toHaveBeenCalledWith("k7m2pqrst4x");
  });

  it("asks a visitor for a name, and gives a seat", async () => {
    const rename = vi.spyOn(known, "rename").mockResolvedValue();
    const join = vi.spyOn(api, "join").mockResolvedValue(tableInfo());
    show({ you: null, you_are_host: false });
    expect(screen.queryByRole("button", { name: "Start the game" })).toBeNull();
    await fireEvent.input(screen.getByLabelText("Your name"), { target: { value: "Zoé" } });
    await fireEvent.click(screen.getByRole("button", { name: "Take a seat" }));
    await vi.waitFor(() => expect(join).toHaveBeenCalledWith("k7m2pqrst4x", ""));
    expect(rename).toHaveBeenCalledWith("Zoé");
  });

  it("says why a name will not do, and takes no seat", async () => {
    vi.spyOn(known, "rename").mockRejectedValue(new Refused("guest/name", ""));
    const join = vi.spyOn(api, "join");
    show({ you: null, you_are_host: false });
    await fireEvent.input(screen.getByLabelText("Your name"), { target: { value: "a|b" } });
    await fireEvent.click(screen.getByRole("button", { name: "Take a seat" }));
    expect((await screen.findByRole("alert")).textContent).toContain("A name has 1 to 24 characters");
    expect(join).not.toHaveBeenCalled();
  });

  it("says why there is no seat any more", async () => {
    vi.spyOn(api, "join").mockRejectedValue(new Refused("seat/none-free", ""));
    show({ you: null, you_are_host: false });
    await fireEvent.click(screen.getByRole("button", { name: "Take a seat" }));
    await vi.waitFor(() => expect(notices.all.at(-1)?.text).toBe("All seats are taken. You can watch."));
  });

  it("lets whoever finds no seat watch", () => {
    show({ you: null, you_are_host: false, seats: [ANA, ANA, ANA] });
    expect(screen.getByText(/so you watch/)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Take a seat" })).toBeNull();
  });

  it("lets someone with a seat wait, or give it up", async () => {
    const leave = vi.spyOn(api, "leave").mockResolvedValue(tableInfo());
    show({ you: 1, you_are_host: false, seats: [ANA, { ...ANA, name: "Zoé" }, FREE] });
    expect(screen.getByText(/You have a seat/)).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Give up my seat" }));
    expect(leave).toHaveBeenCalledOnce();
  });
});
