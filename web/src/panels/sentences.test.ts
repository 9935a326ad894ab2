import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { CATALOGUES, speakLike } from "../i18n/index.svelte";
import type { Event, Happening, Outcome, What, Words } from "../protocol";
import { settings } from "../settings.svelte";
import { listed, reactionName, sentence, sentences } from "./sentences";

const NAMES = ["Ana", "Bo", "Cy", "Dee"];

const MANUAL: Words = {
  house: ["Property", "Properties"],
  cheque: ["Currency card", "Currency cards"],
  coin: ["Bill", "Bills"],
  void: null,
  scarce: null,
};

/** What Ana hears, with ordinary spaces. */
function told(event: Event, you: number | null = 0): string | null {
  return sentence(event, NAMES, you)?.replaceAll("\u00a0", " ") ?? null;
}

function heard(what: What, events: readonly Event[] = [], you: number | null = 0, names = NAMES): string[] {
  const happening: Happening = { seq: 1, at: 0, what, events };
  return sentences(happening, names, you).map((text) => text.replaceAll("\u00a0", " "));
}

const ended = (outcome: Partial<Outcome>): Event => ({
  kind: "game-ended",
  outcome: { scores: [50, 61, 40, 30], coins: [2, 3, 4, 5], places: [2, 1, 3, 4], winners: [1], ...outcome },
});
const shared = { scores: [61, 61, 40, 30], places: [1, 1, 3, 4], winners: [0, 1] };
const level = { scores: [61, 61, 40, 30], places: [2, 1, 3, 4], winners: [1] };

const auction: Event = { kind: "dealt", phase: "buying", number: 3, market: [12, 19, 26], opener: 1 };
const sale: Event = { kind: "dealt", phase: "selling", number: 2, market: [0, 4, 9, 15], opener: null };
const reveal: Event = {
  kind: "sale-resolved",
  number: 2,
  houses: [[26], [19], [3], [7]],
  cheques: [[15], [9], [0], [4]],
};
const rest: Event = { kind: "sale-resolved", number: 9, houses: [[], [4, 8], [], []], cheques: [[], [3, 5, 9], [], []] };
const passed = (seat: number, house: number | null, price: number, refund: number): Event => ({
  kind: "passed",
  seat,
  house,
  price,
  refund,
});

afterEach(() => {
  settings.language = "en";
  speakLike(null);
});

describe("in English", () => {
  beforeEach(() => (settings.language = "en"));

  it.each<[Event, string, string]>([
    [auction, "Auction 3: 12, 19 and 26 are up. Bo opens.", "Auction 3: 12, 19 and 26 are up. You open."],
    [sale, "Sale 2: cheques 0, 4, 9 and 15.", "Sale 2: cheques 0, 4, 9 and 15."],
    [{ kind: "bid-placed", seat: 1, amount: 3 }, "Bo bids 3.", "You bid 3."],
    [passed(1, 7, 1, 1), "Bo passes, takes 7 and loses 1.", "You pass, take 7 and lose 1."],
    [passed(1, 7, 0, 0), "Bo passes and takes 7.", "You pass and take 7."],
    [passed(1, null, 0, 3), "Bo passes, gets no house and takes back 3.", "You pass, get no house and take back 3."],
    [passed(1, null, 0, 0), "Bo passes and gets no house.", "You pass and get no house."],
    [{ kind: "auction-won", seat: 1, house: 26, price: 5 }, "Bo wins 26 for 5.", "You win 26 for 5."],
    [{ kind: "auction-won", seat: 1, house: 26, price: 0 }, "Bo gets 26 for nothing.", "You get 26 for nothing."],
    [{ kind: "house-chosen", seat: 1, house: null }, "Bo has chosen.", "You have chosen."],
    [{ kind: "house-chosen", seat: 1, house: 26 }, "Bo chooses 26.", "You choose 26."],
    [
      rest,
      "Bo alone still has houses and takes what is left: cheques 3, 5 and 9.",
      "You alone still have houses and take what is left: cheques 3, 5 and 9.",
    ],
    [ended({}), "Bo wins with 61.", "You win with 61."],
    [
      ended(level),
      "Bo wins with 61: level with Ana, but with more coins left.",
      "You win with 61: level with Ana, but with more coins left.",
    ],
    [ended(shared), "Ana and Bo share the victory with 61.", "You and Ana share the victory with 61."],
  ])("tells %j", (event, others, own) => {
    expect(told(event, null)).toBe(others);
    expect(told(event, 1)).toBe(own);
  });

  it("speaks to the loser of a tie, too", () => {
    expect(told(ended(level), 0)).toBe("Bo wins with 61: level with you, but with more coins left.");
  });

  it("tells a reveal seat by seat, the best first", () => {
    expect(told(reveal)).toBe("You sell 26 for 15. Bo sells 19 for 9. Dee sells 7 for 4. Cy sells 3 for 0.");
    expect(heard({ kind: "played", seat: 2, by: "bot" }, [reveal])).toHaveLength(4);
  });

  it("says when buying is over", () => {
    const [turn, first] = heard({ kind: "played", seat: 1, by: "person" }, [{ ...sale, number: 1 } as Event]);
    expect(turn).toBe("All houses are bought. Now they are sold.");
    expect(first).toBe("Sale 1: cheques 0, 4, 9 and 15.");
  });

  it("uses the edition's words", () => {
    speakLike({ en: MANUAL });
    expect(told(sale)).toBe("Sale 2: currency cards 0, 4, 9 and 15.");
    expect(told({ ...sale, market: [4] } as Event)).toBe("Sale 2: currency card 4.");
    expect(told(passed(1, null, 0, 0))).toBe("Bo passes and gets no property.");
    expect(told(ended(level), null)).toContain("more bills left");
  });

  it.each<[What, string]>([
    [{ kind: "opened" }, "The table is open."],
    [{ kind: "joined", seat: 1, name: "Bea" }, "Bea sits down."],
    [{ kind: "joined", seat: 0, name: "Ana" }, "You sit down."],
    [{ kind: "left", seat: 1 }, "Bo gets up. The seat is free again."],
    [{ kind: "chat-switched", on: true }, "The host has switched the chat on."],
    [{ kind: "chat-switched", on: false }, "The host has switched the chat off."],
    [{ kind: "started" }, "The game begins."],
    [{ kind: "said", seat: 1, name: "Bo", text: "Hi {name}!" }, "Bo says: Hi {name}!"],
    [{ kind: "said", seat: 0, name: "Ana", text: "Hi!" }, "You say: Hi!"],
    [{ kind: "said", seat: null, name: "Eve", text: "Hi!" }, "Eve (watching) says: Hi!"],
    [{ kind: "reacted", seat: 1, name: "Bo", reaction: "👏" }, "Bo reacts: applause."],
    [{ kind: "reacted", seat: null, name: "Eve", reaction: "⏰" }, "Eve (watching) reacts: time is short."],
    [{ kind: "rematch-opened", table: "abc" }, "A rematch is open at another table."],
  ])("tells %j", (what, expected) => expect(heard(what)).toEqual([expected]));

  it("names the seat that was left where it does not know whose it was", () => {
    expect(heard({ kind: "left", seat: 1 }, [], 0, ["Ana", "", ""])).toEqual(["Seat B is free again."]);
  });

  it("says when a bot played for a person", () => {
    const bid: Event = { kind: "bid-placed", seat: 1, amount: 3 };
    expect(heard({ kind: "played", seat: 1, by: "stand-in" }, [bid])).toEqual(["Bo bids 3. (A bot played for Bo.)"]);
    expect(heard({ kind: "played", seat: 1, by: "stand-in" }, [bid], 1)).toEqual(["You bid 3. (A bot played for you.)"]);
    expect(heard({ kind: "played", seat: 1, by: "bot" }, [bid])).toEqual(["Bo bids 3."]);
  });

  it("is silent about what a newer server may tell", () => {
    expect(heard({ kind: "danced" } as unknown as What, [{ kind: "sneezed" } as unknown as Event])).toEqual([]);
    expect(told({ kind: "sneezed" } as unknown as Event)).toBeNull();
    expect(reactionName("🦄")).toBe("🦄");
  });

  it("lists things without a comma before the last", () => {
    expect([listed([1]), listed([1, 2]), listed(["a", "b", "c"])]).toEqual(["1", "1 and 2", "a, b and c"]);
  });
});

describe("in French", () => {
  beforeEach(() => (settings.language = "fr"));

  it.each<[Event, string, string]>([
    [auction, "Enchère 3 : maisons 12, 19 et 26. Bo ouvre.", "Enchère 3 : maisons 12, 19 et 26. Vous ouvrez."],
    [sale, "Vente 2 : chèques de 0, 4, 9 et 15.", "Vente 2 : chèques de 0, 4, 9 et 15."],
    [{ kind: "bid-placed", seat: 1, amount: 3 }, "Bo enchérit à 3.", "Vous enchérissez à 3."],
    [passed(1, 7, 1, 1), "Bo passe, prend la 7 et perd 1 pièce.", "Vous passez, prenez la 7 et perdez 1 pièce."],
    [passed(1, 7, 2, 1), "Bo passe, prend la 7 et perd 2 pièces.", "Vous passez, prenez la 7 et perdez 2 pièces."],
    [passed(1, 7, 0, 0), "Bo passe et prend la 7.", "Vous passez et prenez la 7."],
    [
      passed(1, null, 0, 3),
      "Bo passe, n’obtient pas de maison et reprend 3 pièces.",
      "Vous passez, n’obtenez pas de maison et reprenez 3 pièces.",
    ],
    [passed(1, null, 0, 0), "Bo passe et n’obtient pas de maison.", "Vous passez et n’obtenez pas de maison."],
    [
      { kind: "auction-won", seat: 1, house: 26, price: 5 },
      "Bo remporte la 26 pour 5 pièces.",
      "Vous remportez la 26 pour 5 pièces.",
    ],
    [
      { kind: "auction-won", seat: 1, house: 26, price: 0 },
      "Bo obtient la 26 pour rien.",
      "Vous obtenez la 26 pour rien.",
    ],
    [{ kind: "house-chosen", seat: 1, house: null }, "Bo a choisi.", "Vous avez choisi."],
    [{ kind: "house-chosen", seat: 1, house: 26 }, "Bo choisit la 26.", "Vous choisissez la 26."],
    [
      rest,
      "Il n’y a plus que Bo qui ait des maisons : le reste lui revient, chèques de 3, 5 et 9.",
      "Il n’y a plus que vous qui ayez des maisons : le reste vous revient, chèques de 3, 5 et 9.",
    ],
    [ended({}), "Bo gagne avec un score de 61.", "Vous gagnez avec un score de 61."],
    [
      ended(level),
      "Bo gagne avec un score de 61 : à égalité avec Ana, mais avec plus de pièces en main.",
      "Vous gagnez avec un score de 61 : à égalité avec Ana, mais avec plus de pièces en main.",
    ],
    [ended(shared), "Ana et Bo se partagent la victoire avec un score de 61.", "Vous et Ana partagez la victoire avec un score de 61."],
  ])("tells %j", (event, others, own) => {
    expect(told(event, null)).toBe(others);
    expect(told(event, 1)).toBe(own);
  });

  it("tells a reveal and a bot's help", () => {
    const chosen: Event = { kind: "house-chosen", seat: 1, house: null };
    expect(heard({ kind: "played", seat: 1, by: "stand-in" }, [chosen, reveal])).toEqual([
      "Bo a choisi. (Un robot a joué pour Bo.)",
      "Vous vendez la 26 pour 15.",
      "Bo vend la 19 pour 9.",
      "Dee vend la 7 pour 4.",
      "Cy vend la 3 pour 0.",
    ]);
  });

  it.each<[What, string]>([
    [{ kind: "joined", seat: 1, name: "Bea" }, "Bea s’assoit."],
    [{ kind: "left", seat: 1 }, "Bo se lève. La place est de nouveau libre."],
    [{ kind: "said", seat: null, name: "Eve", text: "Salut !" }, "Eve (public) dit : Salut !"],
    [{ kind: "reacted", seat: 1, name: "Bo", reaction: "🤔" }, "Bo réagit : réflexion."],
    [{ kind: "rematch-opened", table: "abc" }, "Une revanche est ouverte à une autre table."],
  ])("tells %j", (what, expected) => expect(heard(what)).toEqual([expected]));

  it("keeps a colon with its word", () => {
    expect(sentence(sale, NAMES, 0)).toContain("2\u00a0:");
  });
});

it("has the same messages in both languages", () => {
  const own = (language: "en" | "fr") =>
    Object.keys(CATALOGUES[language]).filter((key) => /^(event|panels)\./.test(key)).sort();
  expect(own("fr")).toEqual(own("en"));
});
