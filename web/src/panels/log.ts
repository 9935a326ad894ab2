/** The log of a table: sentences, gathered by auction and sale. */

import type { Round } from "../game/rounds";
import type { Happening } from "../protocol";
import { isJoinedAgain, tell, type Told } from "./sentences";

export interface Chapter {
  /** What was turned up; null before the game. */
  readonly title: string | null;
  readonly lines: readonly Told[];
}

/** What may be told while a sale is being revealed: not how it ends, before the cards are turned. */
export function beforeReveal(happenings: readonly Happening[], result: Round | null): readonly Happening[] {
  if (result?.phase !== "selling") return happenings;
  const last = happenings.findLastIndex(({ events }) =>
    events.some((event) => event.kind === "sale-resolved" && event.number === result.number),
  );
  return last < 0 ? happenings : happenings.slice(0, last);
}

export function chapters(happenings: readonly Happening[], names: readonly string[], you: number | null): Chapter[] {
  let lines: Told[] = [];
  const all = [{ title: null as string | null, lines }];
  const sitting = [...names];
  for (const happening of happenings) {
    const { what } = happening;
    if (what.kind === "said" || what.kind === "reacted") continue; // those are in the chat
    if (isJoinedAgain(happening, happenings)) continue;
    if (what.kind === "joined") sitting[what.seat] = what.name;
    // A seat that was left may be another's by now: then the one who had it is to be named.
    const told = tell(happening, what.kind === "left" ? sitting : names, you);
    for (const [at, line] of told.entries()) {
      // The last sentence of a deal is a chapter's title. One before it ends the chapter of the auctions.
      if (line.event?.kind === "dealt" && told[at + 1]?.event !== line.event) {
        lines = [];
        all.push({ title: line.text, lines });
      } else {
        outdate(lines, line);
        lines.push(line);
      }
    }
  }
  return all.filter((chapter) => chapter.title !== null || chapter.lines.length > 0);
}

/** A choice that was changed is told once, and none is told any more after the reveal, unless a bot had to choose. */
function outdate(lines: Told[], { event, seat }: Told): void {
  const isGone = (line: Told) =>
    line.event?.kind === "house-chosen" &&
    ((event?.kind === "house-chosen" && line.seat === seat) || (event?.kind === "sale-resolved" && !line.standIn));
  lines.splice(0, lines.length, ...lines.filter((line) => !isGone(line)));
}
