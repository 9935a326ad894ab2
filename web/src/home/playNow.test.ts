import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { noteOf } from "../fair/notes";
import { api, Refused } from "../net/api";
import { tableInfo } from "../net/testing";
import { notices } from "../notices.svelte";
import { router } from "../router.svelte";
import { settings } from "../settings.svelte";
import { playNow } from "./playNow";

const waiting = tableInfo({ id: "now", status: "waiting", commitment: "aa" });
const calls: string[] = [];

function called<Result>(name: string, result: Result): () => Promise<Result> {
  return () => {
    calls.push(name);
    return Promise.resolve(result);
  };
}

beforeEach(() => {
  settings.language = "en";
  calls.length = 0;
  vi.spyOn(api, "open").mockImplementation(called("open", { id: "now", url: "" }));
  vi.spyOn(api, "table").mockImplementation(called("table", waiting));
  vi.spyOn(api, "join").mockImplementation(called("join", waiting));
  vi.spyOn(api, "start").mockImplementation(called("start", { ...waiting, status: "playing" }));
  vi.spyOn(router, "go").mockImplementation((path) => void calls.push(path));
});
afterEach(() => notices.all.forEach(({ id }) => notices.dismiss(id)));

describe("play now", () => {
  it("reads the commitment, gives a seed, starts and goes there", async () => {
    await playNow({ seats: 3 });
    expect(api.open).toHaveBeenCalledWith({ seats: 3 });
    expect(calls).toEqual(["open", "table", "join", "start", "/t/now"]);
    expect(noteOf("now")).toMatchObject({ commitment: "aa", seed: vi.mocked(api.join).mock.calls[0]![1], seat: 0 });
    expect(notices.all).toEqual([]);
  });

  it.each(["table", "join", "start"] as const)("says that %s failed, and leads to the table", async (step) => {
    vi.mocked(api[step]).mockRejectedValueOnce(new Refused("request/too-many", ""));
    await playNow({});
    expect(notices.all).toHaveLength(1);
    expect(calls.at(-1)).toBe("/t/now");
    expect(calls).not.toContain(step);
    expect(calls.includes("start")).toBe(false);
  });

  it("stays where it is when there is no table", async () => {
    vi.mocked(api.open).mockRejectedValueOnce(new Refused("offline", ""));
    await expect(playNow({})).rejects.toMatchObject({ code: "offline" });
    expect(router.go).not.toHaveBeenCalled();
  });
});
