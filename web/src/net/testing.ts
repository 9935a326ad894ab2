/** A server made of nothing, for the tests of what talks to one. */

import { vi } from "vitest";

import type { ClientMessage, ServerMessage, TableInfo, Welcome } from "../protocol";

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];

  /** Every socket that is opened from now on is one of these. */
  static install(): void {
    FakeSocket.all = [];
    vi.stubGlobal("WebSocket", FakeSocket);
  }

  static get latest(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  readonly url: string;
  readyState = 0;
  readonly sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(url: URL | string) {
    this.url = String(url);
    FakeSocket.all.push(this);
  }

  send(data: string): void {
    this.sent.push(JSON.parse(data) as ClientMessage);
  }

  close(): void {
    this.readyState = 3;
  }

  accept(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  tell(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The connection is there, and the hello is answered. */
  join(message: Welcome = welcome()): void {
    this.accept();
    this.tell(message);
  }

  drop(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

export function tableInfo(change: Partial<TableInfo> = {}): TableInfo {
  const seat = { bot: null, taken: true, connected: true, away: false, deadline: null, bank: 0 };
  return {
    id: "k7m2pqrst4x",
    options: {
      edition: "iello-2020",
      variant: null,
      seats: 3,
      listed: false,
      clock: { kind: "none" },
      tracker: false,
      bot: "broker",
      chat: true,
    },
    status: "playing",
    seats: ["Ana", "Bo", "Cy"].map((name) => ({ ...seat, name })),
    you: 0,
    you_are_host: true,
    spectators: 0,
    chat: true,
    commitment: "c0ffee",
    secret: null,
    seeds: null,
    rematch: null,
    ...change,
  };
}

export function welcome(change: Partial<Welcome> = {}): Welcome {
  return {
    type: "welcome",
    version: 1,
    now: 1_000,
    seq: 0,
    table: tableInfo(),
    missed: [],
    position: null,
    legal: [],
    plan: null,
    ...change,
  };
}
