import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { EDITIONS } from "./editions";

const FOLDER = `${import.meta.dirname}/../../../src/forsale/editions`;

/** What we need of the engine's own file: a few tables of numbers by seats. */
function read(id: string) {
  const text = readFileSync(`${FOLDER}/${id}.toml`, "utf-8");
  const [setup = "", variant] = text.split("[variants.scarce]");
  const bySeats = (part: string, name: string) =>
    [...part.match(new RegExp(`^${name} = \\{(.*)\\}`, "m"))![1]!.matchAll(/= (\d+)/g)].map(([, number]) => Number(number));
  return {
    id,
    coins: bySeats(setup, "coins"),
    removed: bySeats(setup, "removed"),
    refund: /^refund = "(\w+)"/m.exec(text)![1],
    lowest: Number(/^lowest_bid = (\d+)/m.exec(text)![1]),
    scarce: variant === undefined ? null : bySeats(variant, "removed"),
  };
}

test("the table of editions says what the engine plays", () => {
  const published = readdirSync(FOLDER).flatMap((file) => (file.endsWith(".toml") ? [file.slice(0, -5)] : []));
  expect(EDITIONS.map((edition) => edition.id).toSorted()).toEqual(published.toSorted());
  for (const edition of EDITIONS) expect(edition).toEqual(read(edition.id));
});
