/** The chat of a table: what was said, and how people reacted. */

import type { Happening } from "../protocol";

export interface ChatEntry {
  readonly seq: number;
  /** Null for a spectator, and for `switched`. */
  readonly seat: number | null;
  readonly name: string;
  readonly own: boolean;
  readonly kind: "said" | "reacted" | "switched";
  readonly text: string;
}

/** What the chat shows to `you`. Nobody mutes themselves. */
export function entries(
  happenings: readonly Happening[],
  you: number | null,
  isMuted: (name: string) => boolean,
): ChatEntry[] {
  return happenings.flatMap(({ seq, what }): ChatEntry[] => {
    if (what.kind === "chat-switched") {
      return [{ seq, seat: null, name: "", own: false, kind: "switched", text: what.on ? "on" : "off" }];
    }
    if (what.kind !== "said" && what.kind !== "reacted") return [];
    const own = what.seat !== null && what.seat === you;
    if (!own && isMuted(what.name)) return [];
    const text = what.kind === "said" ? what.text : what.reaction;
    return [{ seq, seat: what.seat, name: what.name, own, kind: what.kind, text }];
  });
}

/** How many lines of others came after the last that was seen. */
export function unread(chat: readonly ChatEntry[], seen: number): number {
  return chat.filter((entry) => entry.seq > seen && !entry.own && entry.kind !== "switched").length;
}

/** Whom one might want to mute: everybody else who sits here, is not a bot, or has said something; sorted. */
export function people(
  happenings: readonly Happening[],
  seats: readonly { readonly name: string; readonly bot: string | null; readonly taken: boolean }[],
  you: number | null,
): string[] {
  const names = new Set<string>();
  for (const [index, seat] of seats.entries()) {
    if (index !== you && seat.taken && seat.bot === null) names.add(seat.name);
  }
  for (const { what } of happenings) {
    if ((what.kind === "said" || what.kind === "reacted") && (what.seat === null || what.seat !== you)) {
      names.add(what.name);
    }
  }
  return [...names].sort((a, b) => a.localeCompare(b));
}

export const MAX_TEXT = 280;

/** What can be sent: without characters that nobody sees, which the server refuses. */
export function cleaned(text: string): string {
  return text.replace(/\p{Cf}/gu, "").replace(/\s+/g, " ").trim();
}
