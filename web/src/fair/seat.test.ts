import { beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";

import { api, Refused } from "../net/api";
import { tableInfo } from "../net/testing";
import type { Happening, TableInfo, What } from "../protocol";
import { noteOf } from "./notes";
import { getUp, isSeatedByServer, seedOwed, sitDown } from "./seat";

let tables = 0;
let info: TableInfo;
let join: MockInstance<typeof api.join>;
let leave: MockInstance<typeof api.leave>;

beforeEach(() => {
  info = tableInfo({ id: `table ${tables++}`, status: "waiting", commitment: "aa", you: 1 });
  join = vi.spyOn(api, "join").mockImplementation(() => Promise.resolve(info));
  leave = vi.spyOn(api, "leave").mockImplementation(() => Promise.resolve({ ...info, you: null }));
});

function log(...whats: What[]): Happening[] {
  return whats.map((what, index) => ({ seq: index + 1, at: 0, what, events: [] }));
}
const opened: What = { kind: "opened" };
const joined = (seat: number): What => ({ kind: "joined", seat, name: "Ana" });

describe("sitting down", () => {
  it("gives a random seed after the commitment was noted, and remembers it", async () => {
    join.mockImplementation(() => {
      expect(noteOf(info.id)).toMatchObject({ commitment: "aa", seed: null });
      return Promise.resolve(info);
    });
    await sitDown({ ...info, you: null });
    const [table, seed] = join.mock.calls[0]!;
    expect(table).toBe(info.id);
    expect(seed).toMatch(/^[0-9a-f]{32}$/);
    expect(noteOf(info.id)).toEqual({ commitment: "aa", seed, seat: 1, unconfirmed: null });
  });

  it("gives another seed each time", async () => {
    await sitDown(info);
    await sitDown({ ...info, id: "another table" });
    expect(join.mock.calls[0]![1]).not.toBe(join.mock.calls[1]![1]);
  });

  it("remembers words in place of the random seed once they are confirmed", async () => {
    await sitDown(info);
    const random = noteOf(info.id)!.seed;
    join.mockRejectedValueOnce(new Refused("offline", ""));
    await expect(sitDown(info, "a cat")).rejects.toMatchObject({ code: "offline" });
    expect(noteOf(info.id)).toMatchObject({ seed: random, unconfirmed: "a cat" });
    await sitDown(info, "a cat");
    expect(noteOf(info.id)).toMatchObject({ seed: "a cat", unconfirmed: null });
  });

  it("does not count on a seed that may have come after the start", async () => {
    join.mockResolvedValueOnce({ ...info, status: "playing" });
    await sitDown(info, "late");
    expect(noteOf(info.id)).toMatchObject({ seed: null, unconfirmed: "late" });
  });

  it("sends one seed after the other", async () => {
    let answer!: (info: TableInfo) => void;
    join.mockImplementationOnce(() => new Promise((done) => (answer = done)));
    const first = sitDown(info, "first");
    const second = sitDown(info, "second");
    await vi.waitFor(() => expect(join).toHaveBeenCalledTimes(1));
    answer(info);
    await first;
    await second;
    expect(join.mock.calls.map(([, seed]) => seed)).toEqual(["first", "second"]);
    expect(noteOf(info.id)).toMatchObject({ seed: "second" });
  });
});

describe("getting up", () => {
  it("forgets the seed, but not the commitment", async () => {
    await sitDown(info, "sun");
    await getUp(info.id);
    expect(noteOf(info.id)).toEqual({ commitment: "aa", seed: null, seat: null, unconfirmed: null });
  });

  it("does not count on the seed while it is not sure whether we have left", async () => {
    await sitDown(info, "sun");
    leave.mockRejectedValueOnce(new Refused("offline", ""));
    await expect(getUp(info.id)).rejects.toMatchObject({ code: "offline" });
    expect(noteOf(info.id)).toMatchObject({ seed: null, unconfirmed: "sun" });
  });
});

describe("the seed that is owed", () => {
  const seated = log(opened, joined(0), joined(1));

  it("is a new one where the server has seated us: a table of our own, a rematch", () => {
    expect(seedOwed(info, seated)).toMatch(/^[0-9a-f]{32}$/);
  });

  it("is none once it was given, also after a reload", async () => {
    await sitDown(info);
    expect(seedOwed(info, seated)).toBeNull();
  });

  it("is the same again where it was not confirmed", async () => {
    join.mockRejectedValueOnce(new Refused("offline", ""));
    await sitDown(info, "sun").catch(() => {});
    expect(seedOwed(info, log(opened))).toBe("sun");
  });

  it("is none for a spectator, and none after the start", () => {
    expect(seedOwed({ ...info, you: null }, seated)).toBeNull();
    expect(seedOwed({ ...info, status: "playing" }, seated)).toBeNull();
  });

  it("is none where another device of ours has given one", () => {
    expect(seedOwed(info, log(opened, joined(0), joined(1), joined(1)))).toBeNull();
    expect(seedOwed(info, log(opened, joined(0), joined(0), joined(1)))).toBeNull();
  });

  it("is none where the beginning of the log is not known any more", () => {
    expect(isSeatedByServer([], 1)).toBe(false);
    expect(isSeatedByServer(seated.slice(1), 1)).toBe(false);
  });
});
