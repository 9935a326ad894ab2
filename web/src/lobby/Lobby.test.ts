import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { noteOf } from "../fair/notes";
import { known } from "../me.svelte";
import { api, Refused } from "../net/api";
import type { Table } from "../net/table.svelte";
import { tableInfo } from "../net/testing";
import { notices } from "../notices.svelte";
import type { Happening, TableInfo, What } from "../protocol";
import { settings } from "../settings.svelte";
import Lobby from "./Lobby.svelte";

const FREE = { name: "", bot: null, taken: false, connected: false, away: false, deadline: null, bank: 0 };
const ANA = { ...FREE, name: "Ana", taken: true, connected: true };

let id: string;
let tables = 0;

/** A table that nobody has seen before, and what has happened there. */
function show(change: Partial<TableInfo>, ...whats: What[]): TableInfo {
  const info = tableInfo({ id, status: "waiting", seats: [ANA, FREE, FREE], ...change });
  const happenings = whats.map((what, index): Happening => ({ seq: index + 1, at: 0, what, events: [] }));
  render(Lobby, { table: { info, happenings, link: "open" } as unknown as Table });
  return info;
}

/** What has happened when somebody has just opened a table. */
const OPENED: What[] = [{ kind: "opened" }, { kind: "joined", seat: 0, name: "Ana" }];
const RANDOM = expect.stringMatching(/^[0-9a-f]{32}$/) as string;

beforeEach(() => {
  id = `table ${tables++}`;
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
    expect(start).toHaveBeenCalledWith(id);
  });

  it("asks a visitor for a name, and gives a seat", async () => {
    const rename = vi.spyOn(known, "rename").mockResolvedValue();
    const join = vi.spyOn(api, "join").mockResolvedValue(tableInfo());
    show({ you: null, you_are_host: false });
    expect(screen.queryByRole("button", { name: "Start the game" })).toBeNull();
    await fireEvent.input(screen.getByLabelText("Your name"), { target: { value: "Zoé" } });
    await fireEvent.click(screen.getByRole("button", { name: "Take a seat" }));
    await vi.waitFor(() => expect(join).toHaveBeenCalledWith(id, RANDOM));
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

describe("the seed for the shuffle", () => {
  const waiting = (change: Partial<TableInfo> = {}) => tableInfo({ id, status: "waiting", ...change });

  it("is given by itself where the server has seated us, once", async () => {
    const join = vi.spyOn(api, "join").mockResolvedValue(waiting());
    show({ commitment: "aa" }, ...OPENED);
    await screen.findByText("Your browser has already added a random text for you.");
    expect(join.mock.calls).toEqual([[id, RANDOM]]);
    expect(noteOf(id)).toEqual({ commitment: "aa", seed: join.mock.calls[0]![1], seat: 0, unconfirmed: null });
    cleanup();
    show({ commitment: "aa" }, ...OPENED); // a reload
    expect(screen.getByText("Your browser has already added a random text for you.")).toBeTruthy();
    expect(join).toHaveBeenCalledOnce();
  });

  it("is in the shuffle before the game is started", async () => {
    let answer!: (info: TableInfo) => void;
    vi.spyOn(api, "join").mockReturnValue(new Promise((done) => (answer = done)));
    const start = vi.spyOn(api, "start").mockResolvedValue(waiting());
    show({}, ...OPENED);
    await fireEvent.click(screen.getByRole("button", { name: "Start the game" }));
    expect(start).not.toHaveBeenCalled();
    answer(waiting());
    await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
  });

  it("does not keep anyone from starting when it is refused", async () => {
    vi.spyOn(api, "join").mockRejectedValue(new Refused("request/too-many", ""));
    const start = vi.spyOn(api, "start").mockResolvedValue(waiting());
    show({}, ...OPENED);
    await fireEvent.click(screen.getByRole("button", { name: "Start the game" }));
    await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
  });

  it("is left alone where another device of ours has given it", () => {
    const join = vi.spyOn(api, "join");
    show({}, ...OPENED, { kind: "joined", seat: 0, name: "Ana" });
    expect(screen.getByText("This browser has not added anything for you.")).toBeTruthy();
    expect(join).not.toHaveBeenCalled();
  });

  it("is announced to those who have no seat yet, and may be words of their own", async () => {
    const join = vi.spyOn(api, "join").mockResolvedValue(waiting({ you: 1 }));
    show({ you: null, you_are_host: false }, ...OPENED);
    expect(screen.getByText("Your browser adds a random text for you.")).toBeTruthy();
    await use("a cat on the piano");
    expect(screen.getByText("Your words go into the shuffle when you take a seat: a cat on the piano")).toBeTruthy();
    expect(join).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole("button", { name: "Take a seat" }));
    await vi.waitFor(() => expect(join.mock.calls).toEqual([[id, "a cat on the piano"]]));
  });

  it("is replaced by words of one’s own", async () => {
    const join = vi.spyOn(api, "join").mockResolvedValue(waiting());
    show({}, ...OPENED);
    await screen.findByText("Your browser has already added a random text for you.");
    await use("  a cat on the piano ");
    await screen.findByText("Your words are in the shuffle: a cat on the piano");
    expect(join.mock.calls.at(-1)).toEqual([id, "a cat on the piano"]);
    expect(noteOf(id)?.seed).toBe("a cat on the piano");
  });

  it("takes as many characters as the server, and says why not more", async () => {
    show({ you: null, you_are_host: false });
    await use("🏠".repeat(64));
    expect(screen.getByText(/when you take a seat: 🏠/)).toBeTruthy();
    await use("🏠".repeat(65));
    expect(screen.getByText("At most 64 characters, please.")).toBeTruthy();
    expect(useButton().disabled).toBe(true);
    await use("a|b");
    expect(screen.getByText('Without | and ", please.')).toBeTruthy();
  });

  it("stays when the name changes", async () => {
    const join = vi.spyOn(api, "join").mockResolvedValue(waiting());
    vi.spyOn(known, "rename").mockResolvedValue();
    show({}, ...OPENED);
    await screen.findByText("Your browser has already added a random text for you.");
    const { seed } = noteOf(id)!;
    await fireEvent.click(screen.getByRole("button", { name: /Change/ }));
    await fireEvent.input(screen.getByLabelText("Your name"), { target: { value: "Zoé" } });
    await fireEvent.click(screen.getByRole("button", { name: /Save/ }));
    await vi.waitFor(() => expect(join.mock.calls.at(-1)).toEqual([id, ""]));
    expect(noteOf(id)).toMatchObject({ seed, unconfirmed: null });
  });

  const useButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Use", hidden: true });

  async function use(words: string): Promise<void> {
    await fireEvent.input(screen.getByLabelText("Any words"), { target: { value: words } });
    await fireEvent.click(useButton());
  }
});
