import { describe, expect, it } from "vitest";

import type { Happening, What } from "../protocol";
import { cleaned, entries, people, unread } from "./chat";

const said = (seat: number | null, name: string, text = "Hi"): What => ({ kind: "said", seat, name, text });
const happenings: Happening[] = [
  { kind: "opened" } as const,
  said(0, "Ana"),
  said(1, "Bo"),
  { kind: "reacted", seat: 1, name: "Bo", reaction: "👏" } as const,
  { kind: "chat-switched", on: false } as const,
  said(null, "Eve"),
].map((what, index) => ({ seq: index + 1, at: 0, what, events: [] }));

const nobody = () => false;

describe("the chat", () => {
  it("has lines, reactions and switches, and knows my own", () => {
    const chat = entries(happenings, 0, nobody);
    expect(chat.map(({ kind, name, own }) => [kind, name, own])).toEqual([
      ["said", "Ana", true],
      ["said", "Bo", false],
      ["reacted", "Bo", false],
      ["switched", "", false],
      ["said", "Eve", false],
    ]);
  });

  it("leaves out whoever is muted, but never me", () => {
    const chat = entries(happenings, 0, (name) => name === "Bo" || name === "Ana");
    expect(chat.map(({ name }) => name)).toEqual(["Ana", "", "Eve"]);
  });

  it("counts what others said since I looked", () => {
    const chat = entries(happenings, 0, nobody);
    expect([unread(chat, 0), unread(chat, 3), unread(chat, 6)]).toEqual([3, 2, 0]);
    expect(unread(entries(happenings, 0, (name) => name === "Bo"), 0)).toBe(1);
  });

  it("lists whom one could mute: people at the table and those who spoke, not bots, not me", () => {
    const seat = (name: string, bot: string | null = null, taken = true) => ({ name, bot, taken });
    const seats = [seat("Ana"), seat("Zed"), seat("Basil", "broker"), seat("", null, false)];
    expect(people(happenings, seats, 0)).toEqual(["Bo", "Eve", "Zed"]);
  });

  it("sends one line without what nobody can see", () => {
    expect(cleaned("  a \u00a0 b\n\u200bc  ")).toBe("a b c");
    expect(cleaned("👩\u200d👧")).toBe("👩👧");
    expect(cleaned(" \u200b ")).toBe("");
  });
});
