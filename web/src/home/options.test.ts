import { afterEach, describe, expect, it } from "vitest";

import type { Choices, Options } from "../protocol";
import { settings } from "../settings.svelte";
import { botCharacter, botName, keepOptions, lastOptions, sensible } from "./options";
import { own } from "./testing";

const edition = { name: "", coins_hidden: "may", refund: "down", words: {} } as const;
const choices: Choices = {
  editions: [
    { ...edition, id: "iello-2020", seats: [3, 4, 5, 6], variants: ["scarce"] },
    { ...edition, id: "classic", seats: [3, 4], variants: [] },
  ],
  levels: ["lodger", "broker"],
  bots: ["lodger", "broker", "random"],
  reactions: [],
  options: own,
};

describe("the options of a new table", () => {
  afterEach(() => localStorage.clear());

  it("are the server's own at first", () => expect(lastOptions(choices)).toEqual(own));

  it("are what was chosen last", () => {
    const chosen: Options = {
      ...own,
      variant: "scarce",
      seats: 6,
      listed: true,
      clock: { kind: "seconds", decision: 15, bank: 60 },
      bot: "random",
    };
    keepOptions(chosen);
    expect(lastOptions(choices)).toEqual(chosen);
  });

  it("leave out what this server does not have", () => {
    const kept = { ...own, edition: "gone", variant: "odd", seats: 9, bot: "gone", clock: { kind: "days", days: 99 } };
    expect(sensible(kept, choices)).toEqual(own);
    expect(sensible({ ...own, edition: "classic", variant: "scarce", seats: 6 }, choices)).toMatchObject({
      edition: "classic",
      variant: null,
      seats: 4,
    });
  });

  it.each([null, 7, "x", [], { clock: null, seats: "4" }])("are the server's own for %j", (kept) =>
    expect(sensible(kept, choices)).toEqual(own),
  );
});

describe("a bot", () => {
  it("is called as the language has it", () => {
    settings.language = "fr";
    expect([botName("landlord"), botCharacter("miser")]).toEqual([
      "Propriétaire",
      "N’enchérit jamais et prend chaque fois la maison la plus basse.",
    ]);
  });

  it.each(["thrifty", "cmd:Thrifty"])("has its own name where there is no other: %s", (bot) =>
    expect([botName(bot), botCharacter(bot)]).toEqual(["Thrifty", ""]),
  );
});
