/** A table as this browser knows it: what the server has told, and what its user wants of it. */

import { after, type Round } from "../game/rounds";
import type {
  Action,
  Closing,
  Happening,
  Plan,
  Position,
  ServerMessage,
  TableInfo,
} from "../protocol";
import { ServerClock } from "./clock";
import { Link, type LinkState } from "./link";
import { Queue } from "./queue";

/** What comes in the order in which it happened, however long the screen takes to show it. */
type News = Extract<ServerMessage, { readonly type: "welcome" | "update" | "presence" }>;

export class Table {
  link = $state<LinkState>("connecting");
  /** Why there is no way back to the table. */
  why = $state.raw<Closing | null>(null);
  info = $state.raw<TableInfo | null>(null);
  position = $state.raw<Position | null>(null);
  legal = $state.raw<readonly Action[]>([]);
  plan = $state.raw<Plan | null>(null);
  /** All that has happened at the table, oldest first. */
  happenings = $state.raw<readonly Happening[]>([]);
  rounds = $state.raw<readonly Round[]>([]);
  /** An action of ours that the server has not answered yet. */
  pending = $state.raw<Action | null>(null);
  readonly #clock = new ServerClock();
  #seq = 0;
  #link: Link;
  #news = new Queue<News>((message) => this.#show(message));

  /**
   * `onHappening` is called for each thing that happens while we look on, in order, and may say for how many
   * milliseconds it should stand before the next is shown. What happened while we were away comes all at once, with
   * `isCatchUp`.
   */
  constructor(
    readonly id: string,
    private readonly onHappening: (happening: Happening, isCatchUp: boolean) => number | void = () => {},
  ) {
    document.addEventListener("visibilitychange", this.#unseen);
    this.#link = new Link(`/api/tables/${encodeURIComponent(id)}/socket`, {
      last: () => this.#seq,
      heard: (message) => this.#hear(message),
      changed: (state, why) => {
        this.link = state;
        this.why = why;
      },
    });
  }

  get you(): number | null {
    return this.info?.you ?? null;
  }

  /** The server's time now, in milliseconds since 1970. */
  now(): number {
    return this.#clock.now();
  }

  /** Plays an action; settles when the server has stored or refused it. */
  async act(action: Action): Promise<void> {
    const seen = this.#seq;
    this.pending = action;
    this.hurry();
    try {
      await this.#link.send({ type: "act", id: newId(), based_on: seen, action });
    } finally {
      if (this.pending === action) this.pending = null; // a choice may be changed before the first is answered
    }
  }

  /** Shows at once whatever still waits to be shown. */
  hurry(): void {
    this.#news.hurry();
  }

  setPlan(plan: Plan | null): Promise<void> {
    return this.#link.send({ type: "plan", id: newId(), plan });
  }

  say(text: string): Promise<void> {
    return this.#link.send({ type: "say", id: newId(), text });
  }

  react(reaction: string): Promise<void> {
    return this.#link.send({ type: "react", id: newId(), reaction });
  }

  /** I am back: the bot that plays for me stops. */
  here(): void {
    this.#link.tell({ type: "here" });
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#unseen);
    this.#news.clear();
    this.#link.close();
  }

  // Nobody watches a hidden tab: whoever comes back to it wants to see how things stand.
  readonly #unseen = (): void => {
    if (document.visibilityState === "hidden") this.hurry();
  };

  #hear(message: ServerMessage): void {
    if ("now" in message) this.#clock.heard(message.now);
    // A plan is our own affair: it is known at once, wherever the screen has come to.
    if ("plan" in message) this.plan = message.plan;
    switch (message.type) {
      case "welcome":
      case "update":
      case "presence":
        this.#news.push(message);
        if (message.type === "welcome" || this.#isOurs(message) || document.visibilityState === "hidden") this.hurry();
        break;
      default: // the link itself takes care of the others
    }
  }

  /** What our seat has done is shown at once, or we would be offered what is no longer ours to do. */
  #isOurs(message: News): boolean {
    if (message.type !== "update") return false;
    const { what } = message.happening;
    return what.kind === "played" && what.seat === this.you;
  }

  /** Takes over what the server has told; for how many milliseconds it should stand before the next. */
  #show(message: News): number {
    switch (message.type) {
      case "welcome":
        this.#stand(message);
        for (const happening of message.missed) this.#take(happening, true);
        this.#seq = message.seq;
        return 0;
      case "update":
        this.#stand(message);
        return this.#take(message.happening, false);
      case "presence":
        this.info = message.table;
        return 0;
    }
  }

  #stand(message: Extract<ServerMessage, { readonly position: Position | null }>): void {
    this.info = message.table;
    this.position = message.position;
    this.legal = message.legal;
  }

  #take(happening: Happening, isCatchUp: boolean): number {
    if (happening.seq <= this.#seq) return 0;
    this.#seq = happening.seq;
    this.happenings = [...this.happenings, happening];
    const seats = this.info?.options.seats ?? 0;
    for (const event of happening.events) this.rounds = after(this.rounds, event, seats);
    return this.onHappening(happening, isCatchUp) ?? 0;
  }
}

/** Unlike crypto.randomUUID also there on a plain http address in a club's own network. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
