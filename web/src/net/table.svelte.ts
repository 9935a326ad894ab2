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
import { Link, type LinkState } from "./link";

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
  /** The server's clock minus ours, in milliseconds. */
  #ahead = 0;
  #seq = 0;
  #link: Link;

  /**
   * `onHappening` is called for each thing that happens while we look on, in order. What happened while we were away
   * comes all at once, with `isCatchUp`.
   */
  constructor(
    readonly id: string,
    private readonly onHappening: (happening: Happening, isCatchUp: boolean) => void = () => {},
  ) {
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
    return Date.now() + this.#ahead;
  }

  /** Plays an action; settles when the server has stored or refused it. */
  async act(action: Action): Promise<void> {
    this.pending = action;
    try {
      await this.#link.send({ type: "act", id: newId(), based_on: this.#seq, action });
    } finally {
      this.pending = null;
    }
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
    this.#link.close();
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.#tick(message.now);
        this.#stand(message);
        for (const happening of message.missed) this.#take(happening, true);
        this.#seq = message.seq;
        break;
      case "update":
        this.#tick(message.now);
        this.#stand(message);
        this.#take(message.happening, false);
        break;
      case "presence":
        this.#tick(message.now);
        this.info = message.table;
        break;
      case "plan-is":
        this.plan = message.plan;
        break;
      case "pong":
        this.#tick(message.now);
        break;
      default: // the link itself takes care of the others
    }
  }

  #tick(now: number): void {
    this.#ahead = now - Date.now();
  }

  #stand(message: Extract<ServerMessage, { readonly position: Position | null }>): void {
    this.info = message.table;
    this.position = message.position;
    this.legal = message.legal;
    this.plan = message.plan;
  }

  #take(happening: Happening, isCatchUp: boolean): void {
    if (happening.seq <= this.#seq) return;
    this.#seq = happening.seq;
    this.happenings = [...this.happenings, happening];
    const seats = this.info?.options.seats ?? 0;
    for (const event of happening.events) this.rounds = after(this.rounds, event, seats);
    this.onHappening(happening, isCatchUp);
  }
}

/** Unlike crypto.randomUUID also there on a plain http address in a club's own network. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
