import { describe, expect, it } from "vitest";

import { CODES } from "../protocol";
import { format, names } from "./format";
import { CATALOGUES } from "./index.svelte";

const { en, fr } = CATALOGUES;
const KEYS = Object.keys(en);
const ROOMS = [...new Set(KEYS.map((key) => key.split(".")[0]!))];

/** Values of every message: which of them one needs is the language's own affair. */
const WORDS = ["house", "cheque", "coin"].flatMap((word) => [word, `${word}s`]);
const EDITION = new Set(["void", ...WORDS, ...WORDS.map((word) => word[0]!.toUpperCase() + word.slice(1))]);

const sources = Object.entries(
  import.meta.glob<string>("../**/*.{ts,svelte}", { eager: true, query: "?raw", import: "default" }),
).filter(([path]) => !path.endsWith(".test.ts"));

function asked(message: string): string[] {
  return [...names(message)].filter((name) => !EDITION.has(name)).sort();
}

/** Every literal in the sources that looks like a key, with where it stands. */
function literals(): { key: string; path: string }[] {
  const looksLikeKey = new RegExp(`["'\`]((?:${ROOMS.join("|")})\\.[\\w./-]+)["'\`]`, "g");
  return sources.flatMap(([path, text]) => [...text.matchAll(looksLikeKey)].map(([, key]) => ({ key: key!, path })));
}

/** What keys that are put together at run time begin with. */
function beginnings(): string[] {
  const begins = new RegExp(`\`((?:${ROOMS.join("|")})\\.[\\w./-]*)\\$\\{`, "g");
  return sources.flatMap(([, text]) => [...text.matchAll(begins)].map(([, beginning]) => beginning!));
}

/** What is put behind a key at run time: "event.bid" and its sister "event.bid.you". */
function endings(): string[] {
  return sources.flatMap(([, text]) => [...text.matchAll(/`\$\{\w+\}(\.[\w.-]+)`/g)].map(([, ending]) => ending!));
}

describe("the catalogues", () => {
  it("have the same keys in both languages", () => expect(Object.keys(fr).sort()).toEqual([...KEYS].sort()));

  it("ask for the same values in both languages", () => {
    const differing = KEYS.filter((key) => key in fr && asked(en[key]!).join() !== asked(fr[key]!).join());
    expect(differing).toEqual([]);
  });

  it.each(Object.entries(CATALOGUES))("can all be formatted: %s", (language, catalogue) => {
    for (const [key, message] of Object.entries(catalogue)) {
      for (const number of [0, 1, 2, 7]) {
        const values = Object.fromEntries([...names(message)].map((name) => [name, number]));
        const text = format(message, values, language);
        expect(text.trim(), key).toBe(text);
        expect(text, key).not.toMatch(/[{}#]|^$/);
      }
    }
  });

  it("have every key that the client asks for", () => {
    const missing = literals().filter(({ key }) => !(key in en));
    expect(missing).toEqual([]);
  });

  it("have no key that nobody asks for", () => {
    const used = new Set(literals().map(({ key }) => key));
    const begun = beginnings();
    const ends = endings();
    const isUsed = (key: string): boolean =>
      used.has(key) ||
      begun.some((beginning) => key.startsWith(beginning)) ||
      ends.some((ending) => key.endsWith(ending) && used.has(key.slice(0, -ending.length)));
    expect(KEYS.filter((key) => !isUsed(key))).toEqual([]);
  });

  it.each([...CODES, "offline"])("have words for the refusal %s", (code) => {
    expect(en).toHaveProperty([`refused.${code}`]);
    expect(fr).toHaveProperty([`refused.${code}`]);
  });

  it("are typeset as French is", () => {
    const wrong = Object.entries(fr).filter(
      ([, message]) =>
        / [:;!?»]|« /.test(message) || // a space that can break
        /[^\u00a0\u202f!?.…(][;!?»]/.test(message) || // none at all
        /[^\u00a0\u202f\d]:(?!\/\/)/.test(message) ||
        /«[^\u00a0\u202f]/.test(message),
    );
    expect(wrong).toEqual([]);
  });
});
