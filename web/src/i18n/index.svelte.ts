/**
 * What the screen says, in the language of the settings.
 *
 * The catalogues are i18n/LANGUAGE/ROOM.json: one flat object each, the key's first part is the room. The words of the
 * edition on the table are values of every message: {house}, {houses}, {cheque}, {cheques}, {coin}, {coins} in small
 * letters, {House} … with a capital; and {void}, what is stamped on a cheque of 0.
 */

import { settings, type Language } from "../settings.svelte";
import type { Words } from "../protocol";
import { format, type Values } from "./format";

type Catalogue = Readonly<Record<string, string>>;

export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", fr: "Français" };

// One file each: nobody waits for a language that they do not read.
const FILES = { en: () => import("./en"), fr: () => import("./fr") };

let learned = $state.raw<Readonly<Partial<Record<Language, Catalogue>>>>({});

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = {
  get en() {
    return learned.en ?? {};
  },
  get fr() {
    return learned.fr ?? {};
  },
};

/** Fetches a language's catalogue, unless it is there. */
export async function learn(language: Language): Promise<void> {
  if (language in learned) return;
  const { default: rooms } = await FILES[language]();
  learned = { ...learned, [language]: Object.assign({}, ...Object.values(rooms)) as Catalogue };
}

/** Speaks the language of the settings from now on. Settles when the first words are there; called once. */
export async function speak(): Promise<void> {
  await learn(settings.language);
  $effect.root(() => {
    $effect(() => {
      // Where it cannot be fetched, the language before stays.
      learn(settings.language).catch(() => (settings.language = spoken));
    });
  });
}

/** The language of the settings, or another one until that is there. */
const spoken: Language = $derived(
  settings.language in learned ? settings.language : "en" in learned ? "en" : "fr",
);

/** What the edition on the screen calls things, by language; null where no game is shown. */
let edition = $state.raw<Readonly<Record<string, Words>> | null>(null);

export function speakLike(words: Readonly<Record<string, Words>> | null): void {
  edition = words;
}

const wordValues = $derived.by(() => {
  const own = edition?.[spoken];
  const ours = CATALOGUES[spoken];
  const pair = (word: "house" | "cheque" | "coin"): readonly string[] =>
    own?.[word] ?? [ours[`words.${word}`]!, ours[`words.${word}s`]!];
  const values: Record<string, string> = { void: own?.void ?? ours["words.void"]! };
  for (const word of ["house", "cheque", "coin"] as const) {
    const [one = "", many = ""] = pair(word);
    values[word] = one.toLowerCase();
    values[`${word}s`] = many.toLowerCase();
    values[capital(word)] = capital(one);
    values[capital(`${word}s`)] = capital(many);
  }
  return values;
});

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The message of that key. Reactive: what is drawn with it changes with the language and the edition. */
export function t(key: string, values: Values = {}): string {
  const message = CATALOGUES[spoken][key];
  if (message === undefined) throw new Error(`No message ${key} in ${spoken}`);
  return format(message, { ...wordValues, ...values }, spoken);
}

/** Whether there is such a message: for keys made of a server's codes or names. */
export function has(key: string): boolean {
  return key in CATALOGUES[spoken];
}

/** 1 house, 2 houses: a number with the edition's word. */
export function count(number: number, word: "house" | "cheque" | "coin"): string {
  const one = new Intl.PluralRules(spoken).select(number) === "one";
  return `${number} ${wordValues[one ? word : `${word}s`]}`;
}
