/** A table while somebody looks at it: what happens there is shown in its time, heard and said. */

import { announcer } from "../announce.svelte";
import { t } from "../i18n/index.svelte";
import { Table } from "../net/table.svelte";
import { notices } from "../notices.svelte";
import { isMuted } from "../panels/mutes.svelte";
import { isJoinedAgain, sentences } from "../panels/sentences";
import type { Action, Happening, Plan } from "../protocol";
import { sound, soundOf } from "../sound/sound";
import { endedBy, standsFor } from "./happened";
import { Showing, timeOf } from "./showing.svelte";

const REACTION = 2_400; // milliseconds, as long as it floats
const MISSED = 3; // sentences of what was missed; the log has all

export class Life {
  readonly table: Table;
  readonly showing = new Showing();
  /** By seat: a reaction that floats above it. */
  reactions = $state.raw<Readonly<Record<number, string>>>({});
  #missed: string[] = [];

  constructor(id: string) {
    this.table = new Table(id, (happening, isCatchUp) => this.#happened(happening, isCatchUp));
  }

  /** Whether the table waits for us. */
  get isMyTurn(): boolean {
    const { you, position, info } = this.table;
    return you !== null && info?.status === "playing" && position?.to_act.includes(you) === true;
  }

  act(action: Action): void {
    // Nothing is sold unseen: while a result still lies over the cheques, a tap on a house only uncovers them.
    if (action.kind === "sell" && this.showing.result !== null) return this.skip();
    this.showing.skip();
    this.table.act(action).catch((reason: unknown) => notices.refused(reason));
  }

  plan(plan: Plan | null): void {
    this.table.setPlan(plan).catch((reason: unknown) => notices.refused(reason));
  }

  /** On to how things stand now. */
  skip(): void {
    if (this.showing.result === null) return;
    this.showing.skip();
    this.table.hurry();
  }

  close(): void {
    this.showing.skip();
    this.table.close();
  }

  #happened(happening: Happening, isCatchUp: boolean): number {
    const { table } = this;
    const { what } = happening;
    if ((what.kind === "said" || what.kind === "reacted") && isMuted(what.name)) return 0;
    if (isJoinedAgain(happening, table.happenings)) return 0;
    const said = sentences(happening, table.info?.seats.map((seat) => seat.name) ?? [], table.you);
    if (isCatchUp) {
      // The first time all is new, and the page itself tells it; later it is what we have missed.
      if (table.link === "lost") this.#miss(said);
      return 0;
    }
    if (what.kind === "rematch-opened") notices.show(said.join(" "));
    else for (const sentence of said) announcer.say(sentence);
    const name = soundOf(happening, table.you);
    if (name !== null) sound.play(name);
    if (what.kind === "reacted" && what.seat !== null) this.#float(what.seat, what.reaction);
    if (this.isMyTurn && what.kind !== "said" && what.kind !== "reacted") this.#callUp();
    return this.#show(happening);
  }

  #show(happening: Happening): number {
    const ended = endedBy(happening, this.table.rounds);
    if (ended.length === 0 || document.visibilityState === "hidden") return standsFor(happening);
    for (const round of ended) this.showing.show(round);
    return ended.reduce((time, round) => time + timeOf(round), 0);
  }

  /** Says once that it is our turn, and not again because others have chosen meanwhile. */
  #called = "";
  #callUp(): void {
    const { position, plan, info, you } = this.table;
    if (plan !== null || (you !== null && info?.seats[you]?.away)) return; // it is seen to
    const moment = `${position?.phase} ${position?.number} ${position?.phase === "buying" ? position.highest_bid : ""}`;
    if (moment === this.#called) return;
    this.#called = moment;
    announcer.say(t("table.turn.you"));
    sound.play("turn");
  }

  #float(seat: number, reaction: string): void {
    this.reactions = { ...this.reactions, [seat]: reaction };
    setTimeout(() => {
      if (this.reactions[seat] !== reaction) return;
      this.reactions = Object.fromEntries(Object.entries(this.reactions).filter(([key]) => Number(key) !== seat));
    }, REACTION);
  }

  #miss(said: readonly string[]): void {
    if (said.length === 0) return;
    this.#missed.push(...said);
    if (this.#missed.length > said.length) return;
    queueMicrotask(() => {
      const missed = this.#missed.splice(0);
      notices.show(t("table.missed", { text: missed.slice(-MISSED).join(" "), n: missed.length }));
    });
  }
}
