import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Closing, Say, ServerMessage } from "../protocol";
import { Link, type LinkState } from "./link";
import { FakeSocket, welcome } from "./testing";

let states: LinkState[];
let heard: ServerMessage[];
let last: number;
let why: Closing | null;
let link: Link;

function open(): Link {
  link = new Link("/api/tables/x/socket", {
    last: () => last,
    heard: (message) => heard.push(message),
    changed: (state, reason) => {
      states.push(state);
      why = reason;
    },
  });
  return link;
}

const say = (id: string): Say => ({ type: "say", id, text: "hello" });

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.install();
  [states, heard, last, why] = [[], [], 0, null];
});
afterEach(() => {
  link.close();
  vi.useRealTimers();
});

describe("a link", () => {
  it("knocks at the page's own server and says hello with what it has seen", () => {
    last = 7;
    open();
    const socket = FakeSocket.latest;
    expect(socket.url).toMatch(/^ws:\/\/.*\/api\/tables\/x\/socket$/);
    socket.accept();
    expect(socket.sent).toEqual([{ type: "hello", version: 1, last: 7 }]);
    expect(states).toEqual([]);
    socket.tell(welcome());
    expect(states).toEqual(["open"]);
    expect(heard).toEqual([welcome()]);
  });

  it("keeps what it is told until it is welcome", async () => {
    const done = open().send(say("a"));
    const socket = FakeSocket.latest;
    socket.accept();
    expect(socket.sent).toHaveLength(1);
    socket.tell(welcome());
    expect(socket.sent[1]).toEqual(say("a"));
    socket.tell({ type: "ack", id: "a", seq: 3 });
    await expect(done).resolves.toBeUndefined();
  });

  it("repeats after a loss what was not answered, and only that", async () => {
    open();
    FakeSocket.latest.join();
    const first = link.send(say("a"));
    const second = link.send(say("b"));
    FakeSocket.latest.tell({ type: "ack", id: "a", seq: 3 });
    await first;
    FakeSocket.latest.drop();
    expect(states.at(-1)).toBe("lost");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.latest.join();
    expect(FakeSocket.latest.sent.slice(1)).toEqual([say("b")]);
    FakeSocket.latest.tell({ type: "ack", id: "b", seq: 4 });
    await second;
  });

  it("throws a refusal at whoever asked", async () => {
    open();
    FakeSocket.latest.join();
    const asked = link.send(say("a"));
    FakeSocket.latest.tell({ type: "refused", id: "a", code: "chat/off", sentence: "It is off." });
    await expect(asked).rejects.toMatchObject({ code: "chat/off", message: "It is off." });
  });

  it("tries again and again, ever more slowly, and quickly again after a welcome", async () => {
    open();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const before = FakeSocket.all.length;
      FakeSocket.latest.drop();
      const from = Date.now();
      while (FakeSocket.all.length === before) await vi.advanceTimersByTimeAsync(25);
      waits.push(Date.now() - from);
    }
    expect(waits[0]).toBeLessThan(500);
    expect(waits.at(-1)).toBeGreaterThan(5_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10_050);
    FakeSocket.latest.join();
    FakeSocket.latest.drop();
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeSocket.all).toHaveLength(10);
  });

  it("comes back when a restarting server says so", async () => {
    open();
    FakeSocket.latest.join();
    FakeSocket.latest.tell({ type: "closing", code: "server/restarting", sentence: "…", retry_after: 1 });
    FakeSocket.latest.drop();
    expect(states.at(-1)).toBe("lost");
    expect(why?.code).toBe("server/restarting");
    await vi.advanceTimersByTimeAsync(900);
    expect(FakeSocket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("is gone when the server wants it no more, and says why to all who wait", async () => {
    open();
    const asked = link.send(say("a"));
    FakeSocket.latest.accept();
    FakeSocket.latest.tell({ type: "closing", code: "table/unknown", sentence: "None.", retry_after: null });
    FakeSocket.latest.drop();
    await expect(asked).rejects.toMatchObject({ code: "table/unknown" });
    expect(states).toEqual(["gone"]);
    expect(why?.code).toBe("table/unknown");
    await vi.advanceTimersByTimeAsync(60_000);
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("refuses what is asked of it when it is gone", async () => {
    open();
    FakeSocket.latest.accept();
    FakeSocket.latest.tell({ type: "closing", code: "protocol/version", sentence: "Reload.", retry_after: null });
    FakeSocket.latest.drop();
    await expect(link.send(say("late"))).rejects.toMatchObject({ code: "protocol/version" });
  });

  it("gives up a connection on which nothing is heard", async () => {
    open();
    FakeSocket.latest.join();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(FakeSocket.latest.sent.at(-1)).toEqual({ type: "ping" });
    FakeSocket.latest.tell({ type: "pong", now: 0 });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(states).toEqual(["open"]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(states).toContain("lost");
  });

  it("gives up a knock that nobody answers", async () => {
    open();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(states).toEqual(["lost"]);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  it("does not wait when the network is back", async () => {
    open();
    for (let i = 0; i < 6; i++) {
      FakeSocket.latest.drop();
      await vi.advanceTimersByTimeAsync(10_000);
    }
    FakeSocket.latest.drop();
    const before = FakeSocket.all.length;
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(before + 1);
  });

  it("finds out quickly after a sleep whether its connection still lives", async () => {
    open();
    FakeSocket.latest.join();
    document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.latest.sent.at(-1)).toEqual({ type: "ping" });
    FakeSocket.latest.tell({ type: "pong", now: 0 });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(states).toEqual(["open"]);
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(states).toEqual(["open", "lost"]);
  });

  it("hears nothing of a socket that it has given up", async () => {
    open();
    const old = FakeSocket.latest;
    old.join();
    old.drop();
    await vi.advanceTimersByTimeAsync(1_000);
    const before = heard.length;
    old.tell(welcome());
    expect(heard).toHaveLength(before);
  });

  it("is quiet after its end", async () => {
    open();
    FakeSocket.latest.join();
    link.close();
    expect(FakeSocket.latest.readyState).toBe(3);
    await vi.advanceTimersByTimeAsync(60_000);
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(1);
    expect(states).toEqual(["open", "gone"]);
  });
});
