import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Action, Happening, Position, Update } from "../protocol";
import { Table } from "./table.svelte";
import { FakeSocket, tableInfo, welcome } from "./testing";

const BID: Action = { kind: "bid", amount: 1 };

function happening(seq: number, change: Partial<Happening> = {}): Happening {
  return { seq, at: seq, what: { kind: "played", seat: 1, by: "bot" }, events: [], ...change };
}

const dealt = happening(1, {
  what: { kind: "started" },
  events: [{ kind: "dealt", phase: "buying", number: 1, market: [3, 9, 20], opener: 0 }],
});

function update(seq: number, change: Partial<Update> = {}): Update {
  return {
    type: "update",
    now: 0,
    happening: happening(seq),
    table: tableInfo(),
    position: null,
    legal: [],
    plan: null,
    ...change,
  };
}

let seen: [number, boolean][];
let table: Table;

beforeEach(() => {
  vi.useFakeTimers({ now: 5_000 });
  FakeSocket.install();
  seen = [];
  table = new Table("k7m2pqrst4x", ({ seq }, isCatchUp) => void seen.push([seq, isCatchUp]));
});
afterEach(() => {
  table.close();
  vi.useRealTimers();
});

describe("a table", () => {
  it("stands where its welcome says, with all that was missed", () => {
    const position = { phase: "buying" } as Position;
    FakeSocket.latest.join(welcome({ seq: 2, missed: [dealt, happening(2)], position, legal: [BID] }));
    expect(table).toMatchObject({ link: "open", position, legal: [BID], you: 0 });
    expect(table.rounds).toMatchObject([{ number: 1, market: [3, 9, 20], takes: [null, null, null] }]);
    expect(seen).toEqual([
      [1, true],
      [2, true],
    ]);
  });

  it("goes on with each update, once", () => {
    FakeSocket.latest.join(welcome({ seq: 1, missed: [dealt] }));
    const events = [{ kind: "passed", seat: 1, house: 3, refund: 0, price: 0 } as const];
    FakeSocket.latest.tell(update(2, { happening: happening(2, { events }), legal: [BID] }));
    FakeSocket.latest.tell(update(2, { happening: happening(2, { events }) }));
    expect(table.happenings.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(table.rounds[0]!.takes[1]).toEqual({ house: 3, price: 0, refund: 0, won: false });
    expect(seen.at(-1)).toEqual([2, false]);
  });

  it("asks after a loss only for what it has not seen", async () => {
    FakeSocket.latest.join(welcome({ seq: 4, missed: [1, 2, 3, 4].map((seq) => happening(seq)) }));
    FakeSocket.latest.drop();
    expect(table.link).toBe("lost");
    await vi.advanceTimersByTimeAsync(1_000);
    FakeSocket.latest.accept();
    expect(FakeSocket.latest.sent[0]).toMatchObject({ type: "hello", last: 4 });
    FakeSocket.latest.tell(welcome({ seq: 6, missed: [happening(5), happening(6)] }));
    expect(table.happenings.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("copes with gaps in what it is told: of a long chat only the end is told", () => {
    const missed = [dealt, happening(7), happening(250)];
    FakeSocket.latest.join(welcome({ seq: 260, missed }));
    expect(table.happenings.map(({ seq }) => seq)).toEqual([1, 7, 250]);
    FakeSocket.latest.tell(update(261));
    FakeSocket.latest.tell(update(255)); // told before
    expect(table.happenings.map(({ seq }) => seq)).toEqual([1, 7, 250, 261]);
    expect(table.rounds).toHaveLength(1);
  });

  it("plays an action on what has been seen", async () => {
    FakeSocket.latest.join(welcome({ seq: 1, missed: [dealt] }));
    const played = table.act(BID);
    expect(table.pending).toEqual(BID);
    const sent = FakeSocket.latest.sent.at(-1)!;
    expect(sent).toMatchObject({ type: "act", based_on: 1, action: BID });
    FakeSocket.latest.tell({ type: "ack", id: (sent as { id: string }).id, seq: 2 });
    await played;
    expect(table.pending).toBeNull();
  });

  it("shows the later of two choices as pending until that is answered", async () => {
    FakeSocket.latest.join();
    const ids = () => FakeSocket.latest.sent.filter((each) => "id" in each).map(({ id }) => id);
    const first = table.act({ kind: "sell", house: 3 });
    const second = table.act({ kind: "sell", house: 9 });
    FakeSocket.latest.tell({ type: "ack", id: ids()[0]!, seq: 1 });
    await first;
    expect(table.pending).toEqual({ kind: "sell", house: 9 });
    FakeSocket.latest.tell({ type: "ack", id: ids()[1]!, seq: 2 });
    await second;
    expect(table.pending).toBeNull();
  });

  it("has nothing pending after a refusal", async () => {
    FakeSocket.latest.join();
    const played = table.act(BID);
    const { id } = FakeSocket.latest.sent.at(-1) as { id: string };
    FakeSocket.latest.tell({ type: "refused", id, code: "action/stale", sentence: "Look again." });
    await expect(played).rejects.toMatchObject({ code: "action/stale" });
    expect(table.pending).toBeNull();
  });

  it("reads the server's clock", () => {
    FakeSocket.latest.join(welcome({ now: 65_000 }));
    expect(table.now()).toBe(65_000);
    vi.advanceTimersByTime(1_000);
    expect(table.now()).toBe(66_000);
  });

  it("hears who comes and goes, and of a plan made elsewhere", () => {
    FakeSocket.latest.join();
    FakeSocket.latest.tell({ type: "presence", now: 0, table: tableInfo({ spectators: 2 }) });
    FakeSocket.latest.tell({ type: "plan-is", plan: { kind: "pass-on" } });
    expect(table.info?.spectators).toBe(2);
    expect(table.plan).toEqual({ kind: "pass-on" });
  });

  it("knows why there is no way back", () => {
    FakeSocket.latest.accept();
    FakeSocket.latest.tell({ type: "closing", code: "table/unknown", sentence: "None.", retry_after: null });
    FakeSocket.latest.drop();
    expect(table).toMatchObject({ link: "gone", why: { code: "table/unknown" } });
  });
});
