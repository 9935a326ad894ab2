/**
 * A sentence for each thing that happens, for the log and for those who listen. The name comes first; who `you` are
 * is spoken to.
 */

import { has, t } from "../i18n/index.svelte";
import type { Values } from "../i18n/format";
import type { Event, Happening, Outcome, SaleResolved, What } from "../protocol";
import { settings } from "../settings.svelte";
import { isMuted } from "./mutes.svelte";

/** One sentence, whom it is about, and the event that it tells, if any. */
export interface Told {
  readonly text: string;
  readonly seat: number | null;
  readonly event: Event | null;
  /** A bot played for the person there, and the sentence says so. */
  readonly standIn: boolean;
}

/**
 * All that a happening tells. A sale's reveal has one sentence for each seat, the best first. What muted people say
 * is not told.
 */
export function tell(happening: Happening, names: readonly string[], you: number | null): Told[] {
  const cast = new Cast(names, you);
  const { what, events } = happening;
  if ((what.kind === "said" || what.kind === "reacted") && isMuted(what.name)) return [];
  const about = (event: Event | null) => (line: Line): Told => ({ ...line, event, standIn: false });
  const told = events.flatMap((event) => ofEvent(event, cast).map(about(event)));
  const [first] = told;
  if (what.kind === "played" && what.by === "stand-in" && first !== undefined) {
    told[0] = { ...first, text: `${first.text} ${cast.tell("event.standIn", what.seat)}`, standIn: true };
  }
  return [...ofWhat(what, cast).map(about(null)), ...told];
}

/**
 * Whoever changes the seed for the shuffle joins again under the same name, and so does every browser that gives one
 * for a seat that it already has: nobody has sat down, and there is nothing to tell.
 */
export function isJoinedAgain({ seq, what }: Happening, happenings: readonly Happening[]): boolean {
  if (what.kind !== "joined") return false;
  const last = happenings.findLast(
    (other) => other.seq < seq && (other.what.kind === "joined" || other.what.kind === "left") && other.what.seat === what.seat,
  );
  return last?.what.kind === "joined" && last.what.name === what.name;
}

export function sentences(happening: Happening, names: readonly string[], you: number | null): string[] {
  return tell(happening, names, you).map((line) => line.text);
}

/** An event in words, all in one; null where there is nothing to tell. */
export function sentence(event: Event, names: readonly string[], you: number | null): string | null {
  const lines = ofEvent(event, new Cast(names, you));
  return lines.map((line) => line.text).join(" ") || null;
}

/** What a reaction means, for those who do not see it. */
export function reactionName(reaction: string): string {
  const key = `event.reaction.${reaction}`;
  return has(key) ? t(key) : reaction;
}

/** 12, 19 and 26. */
export function listed(things: readonly (string | number)[]): string {
  // Plain "en" would put a comma before the "and".
  const language = settings.language === "en" ? "en-GB" : settings.language;
  return new Intl.ListFormat(language).format(things.map(String));
}

type Line = Pick<Told, "text" | "seat">;

/** Who sits where, and who of them is spoken to. */
class Cast {
  constructor(
    private readonly names: readonly string[],
    private readonly you: number | null,
  ) {}

  /** The message about a seat: `key` of somebody else, `key.you` of the one who reads it. */
  tell(key: string, seat: number | null, values: Values = {}, name = seat === null ? "" : this.name(seat)): string {
    const isYou = seat !== null && seat === this.you;
    return t(isYou ? `${key}.you` : key, { name: seat === null ? t("event.spectator", { name }) : name, ...values });
  }

  line(key: string, seat: number | null, values: Values = {}, name?: string): Line {
    return { seat, text: this.tell(key, seat, values, name) };
  }

  name(seat: number): string {
    return this.names[seat] || letter(seat);
  }

  knows(seat: number): boolean {
    return !!this.names[seat];
  }

  /** You and Bo: seats as the subject of a sentence, or inside of one. */
  group(seats: readonly number[], key: "event.you" | "event.youInside"): string {
    const others = seats.filter((seat) => seat !== this.you).map((seat) => this.name(seat));
    return listed(others.length < seats.length ? [t(key), ...others] : others);
  }

  holds(seats: readonly number[]): boolean {
    return this.you !== null && seats.includes(this.you);
  }
}

function letter(seat: number): string {
  return "ABCDEF".charAt(seat);
}

/** About nobody in particular. */
function plain(text: string): Line {
  return { seat: null, text };
}

function ofWhat(what: What, cast: Cast): Line[] {
  switch (what.kind) {
    case "opened":
      return [plain(t("event.opened"))];
    case "joined":
      return [cast.line("event.joined", what.seat, {}, what.name)];
    case "left":
      // Whose seat it was is not told; a caller who knows has put the name there.
      if (!cast.knows(what.seat)) return [plain(t("event.left.unknown", { letter: letter(what.seat) }))];
      return [plain(t("event.left", { name: cast.name(what.seat) }))];
    case "chat-switched":
      return [plain(t(what.on ? "event.chatOn" : "event.chatOff"))];
    case "started":
      return [plain(t("event.started"))];
    case "said":
      return [cast.line("event.said", what.seat, { text: what.text }, what.name)];
    case "reacted":
      return [cast.line("event.reacted", what.seat, { reaction: reactionName(what.reaction) }, what.name)];
    case "rematch-opened":
      return [plain(t("event.rematch"))];
    default: // what was played is in the events; and a newer server may tell what we have no words for
      return [];
  }
}

function ofEvent(event: Event, cast: Cast): Line[] {
  switch (event.kind) {
    case "dealt":
      return dealt(event, cast);
    case "bid-placed":
      return [cast.line("event.bid", event.seat, { amount: event.amount })];
    case "passed": {
      const { seat, house, refund, price } = event;
      if (house === null) {
        return [cast.line(refund > 0 ? "event.passedEmpty" : "event.passedNothing", seat, { refund })];
      }
      return [cast.line(price > 0 ? "event.passed" : "event.passedFree", seat, { card: house, price })];
    }
    case "auction-won": {
      const { seat, house, price } = event;
      return [cast.line(price > 0 ? "event.won" : "event.wonFree", seat, { card: house, price })];
    }
    case "house-chosen": {
      const { seat, house } = event;
      if (house === null) return [cast.line("event.chosen", seat)];
      return [cast.line("event.chosenHouse", seat, { card: house })];
    }
    case "sale-resolved":
      return sold(event, cast);
    case "game-ended":
      return [ended(event.outcome, cast)];
    default:
      return [];
  }
}

function dealt(event: Event & { kind: "dealt" }, cast: Cast): Line[] {
  const { number, market, opener } = event;
  const values = { number, market: listed(market), n: market.length };
  if (event.phase === "buying") {
    const up = t("event.auction", values);
    return [plain(opener === null ? up : `${up} ${cast.tell("event.opens", opener)}`)];
  }
  const sale = plain(t("event.sale", values));
  return number === 1 ? [plain(t("event.selling")), sale] : [sale];
}

function sold({ houses, cheques }: SaleResolved, cast: Cast): Line[] {
  const sellers = houses.flatMap((own, seat) => (own.length > 0 ? [seat] : []));
  // The variant's end: the last one who holds houses gets all that is left.
  if (sellers.length === 1) {
    const seat = sellers[0]!;
    const taken = cheques[seat] ?? [];
    return [cast.line("event.soldAll", seat, { list: listed(taken), n: taken.length })];
  }
  return sellers
    .toSorted((a, b) => houses[b]![0]! - houses[a]![0]!)
    .map((seat) => cast.line("event.sold", seat, { card: houses[seat]![0]!, amount: cheques[seat]![0]! }));
}

function ended({ scores, winners }: Outcome, cast: Cast): Line {
  const first = winners[0]!;
  const score = scores[first]!;
  if (winners.length > 1) {
    const key = cast.holds(winners) ? "event.shared.you" : "event.shared";
    return plain(t(key, { names: cast.group(winners, "event.you"), score }));
  }
  const level = scores.flatMap((other, seat) => (other === score && seat !== first ? [seat] : []));
  if (level.length === 0) return cast.line("event.winner", first, { score });
  return cast.line("event.winnerByCoins", first, { score, others: cast.group(level, "event.youInside") });
}
