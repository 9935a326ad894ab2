/**
 * The socket of one table, which comes back by itself. It says hello with the last sequence number that was seen, and
 * repeats what was not answered: the server takes each id only once.
 */

import { VERSION, type ClientMessage, type Closing, type Refused as RefusedMessage, type ServerMessage } from "../protocol";
import { Refused } from "./api";

export type LinkState = "connecting" | "open" | "lost" | "gone";

export interface Listener {
  /** The last sequence number that is known. */
  last(): number;
  heard(message: ServerMessage): void;
  changed(state: LinkState, why: Closing | null): void;
}

type WithId = Extract<ClientMessage, { readonly id: string }>;

interface Waiting {
  readonly message: WithId;
  readonly done: () => void;
  readonly refused: (reason: Refused) => void;
}

const FIRST_RETRY = 300; // milliseconds
const LAST_RETRY = 8_000;
const PING_EVERY = 15_000;
const PATIENCE = 10_000; // without an answer to a ping, or to a knock
const WAKING = 3_000; // the same for a machine that just woke up: its connection is often dead

export class Link {
  #socket: WebSocket | null = null;
  #state: LinkState = "connecting";
  #retry = FIRST_RETRY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  #why: Closing | null = null;
  readonly #waiting = new Map<string, Waiting>();

  constructor(
    private readonly path: string,
    private readonly listener: Listener,
  ) {
    addEventListener("online", this.#atOnce);
    addEventListener("pageshow", this.#atOnce);
    document.addEventListener("visibilitychange", this.#atOnce);
    this.#connect();
  }

  /** Sends a message until it is answered. */
  send(message: WithId): Promise<void> {
    return new Promise((done, refused) => {
      if (this.#state === "gone" && this.#why !== null) return refused(new Refused(this.#why.code, this.#why.sentence));
      this.#waiting.set(message.id, { message, done, refused });
      this.#put(message);
    });
  }

  /** Sends a message once, if it can be sent. */
  tell(message: ClientMessage): void {
    this.#put(message);
  }

  close(): void {
    removeEventListener("online", this.#atOnce);
    removeEventListener("pageshow", this.#atOnce);
    document.removeEventListener("visibilitychange", this.#atOnce);
    this.#forget();
    this.#turn("gone");
  }

  // A phone that wakes up, a cable that is back: nobody wants to wait for the next try then.
  readonly #atOnce = (): void => {
    if (document.visibilityState === "hidden" || this.#state === "gone") return;
    if (this.#state === "lost") this.#connect();
    else if (this.#state === "open") this.#probe();
  };

  #probe(): void {
    const asked = Date.now();
    this.tell({ type: "ping" });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#heardAt < asked) this.#lose();
    }, WAKING);
  }

  #connect(): void {
    this.#forget();
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.#socket = socket;
    // A network that swallows everything would leave us knocking for minutes.
    this.#timer = setTimeout(() => this.#lose(), PATIENCE);
    socket.onopen = () => {
      this.#heardAt = Date.now();
      socket.send(JSON.stringify({ type: "hello", version: VERSION, last: this.listener.last() }));
      this.#heartbeat = setInterval(() => this.#beat(), PING_EVERY);
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#hear(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lose();
    };
  }

  #forget(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #beat(): void {
    if (Date.now() - this.#heardAt > PING_EVERY + PATIENCE) this.#lose();
    else this.tell({ type: "ping" });
  }

  #lose(): void {
    this.#forget();
    const why = this.#why;
    if (why !== null && why.retry_after === null) {
      this.#turn("gone");
      const reason = new Refused(why.code, why.sentence);
      for (const waiting of this.#waiting.values()) waiting.refused(reason);
      this.#waiting.clear();
      return;
    }
    this.#turn("lost");
    const least = (why?.retry_after ?? 0) * 1000;
    this.#timer = setTimeout(() => this.#connect(), Math.max(least, this.#retry * (0.75 + Math.random() / 2)));
    this.#retry = Math.min(this.#retry * 2, LAST_RETRY);
    this.#why = null;
  }

  #hear(message: ServerMessage): void {
    this.#heardAt = Date.now();
    if (message.type === "ack") this.#answered(message.id)?.done();
    else if (message.type === "refused") this.#refuse(message);
    else if (message.type === "closing") this.#why = message;
    this.listener.heard(message);
    if (message.type === "welcome") {
      clearTimeout(this.#timer);
      this.#retry = FIRST_RETRY;
      this.#turn("open");
      for (const { message: unanswered } of this.#waiting.values()) this.#put(unanswered);
    }
  }

  #refuse(message: RefusedMessage): void {
    if (message.id !== null) this.#answered(message.id)?.refused(new Refused(message.code, message.sentence));
  }

  #answered(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #put(message: ClientMessage): void {
    if (this.#state !== "open" && message.type !== "ping") return; // repeated after the next welcome
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #turn(state: LinkState): void {
    this.#state = state;
    this.listener.changed(state, this.#why);
  }
}
