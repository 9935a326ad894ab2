import { describe, expect, it } from "vitest";

import { format, names } from "./format";

describe("format", () => {
  it("leaves plain text alone", () => expect(format("Nothing to fill in.", {}, "en")).toBe("Nothing to fill in."));

  it("puts values in their places", () =>
    expect(format("{name} bids {amount}.", { name: "Bo", amount: 3 }, "en")).toBe("Bo bids 3."));

  it("does not read values as messages", () =>
    expect(format("Hello {name}, {n, plural, other {# {name}}}", { name: "{n}", n: 2 }, "en")).toBe("Hello {n}, 2 {n}"));

  const coins = "{n, plural, =0 {nothing} one {# {coin}} other {# {coins}}} left";
  it.each([
    [0, "en", "nothing left"],
    [1, "en", "1 bill left"],
    [2, "en", "2 bills left"],
    [1, "fr", "1 bill left"],
  ])("chooses the form for %i in %s", (n, language, text) =>
    expect(format(coins, { n, coin: "bill", coins: "bills" }, language)).toBe(text),
  );

  it("counts nothing as one in French", () => {
    const message = "{n, plural, one {# maison} other {# maisons}}";
    expect(format(message, { n: 0 }, "fr")).toBe("0 maison");
    expect(format(message, { n: 0 }, "en")).toBe("0 maisons");
  });

  it.each([
    ["{name}", "No value for {name}"],
    ["{name", "A { is not closed in the message: {name"],
    ["{a b}", "Not a placeholder: {a b}"],
    ["{n, plural, one {x}}", 'No form "other" in: one {x}'],
  ])("says what is wrong with %j", (message, why) => expect(() => format(message, { n: 2 }, "en")).toThrow(why));
});

describe("names", () => {
  it.each([
    ["plain", []],
    ["{a} and {b}, again {a}", ["a", "b"]],
    ["{n, plural, one {coin} other {{coins} for {name}}}", ["coins", "n", "name"]],
  ])("of %j are %j", (message, found) => expect([...names(message)].sort()).toEqual(found));
});
