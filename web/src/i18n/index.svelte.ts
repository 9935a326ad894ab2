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

const files = import.meta.glob<Catalogue>("./*/*.json", { eager: true, import: "default" });

export const LANGUAGES: Readonly<Record<Language, string>> = { en: "English", fr: "Français" };

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en: gathered("en"), fr: gathered("fr") };

function gathered(language: Language): Catalogue {
  const rooms = Object.entries(files).filter(([path]) => path.startsWith(`./${language}/`));
  return Object.assign({}, ...rooms.map(([, messages]) => messages)) as Catalogue;
}

/** What the edition on the screen calls things, by language; null where no game is shown. */
let edition = $state.raw<Readonly<Record<string, Words>> | null>(null);

export function speakLike(words: Readonly<Record<string, Words>> | null): void {
  edition = words;
}

const wordValues = $derived.by(() => {
  const language = settings.language;
  const own = edition?.[language];
  const pair = (word: "house" | "cheque" | "coin"): readonly string[] =>
    own?.[word] ?? [CATALOGUES[language][`words.${word}`]!, CATALOGUES[language][`words.${word}s`]!];
  const values: Record<string, string> = { void: own?.void ?? CATALOGUES[language]["words.void"]! };
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
  const message = CATALOGUES[settings.language][key];
  if (message === undefined) throw new Error(`No message ${key} in ${settings.language}`);
  return format(message, { ...wordValues, ...values }, settings.language);
}

/** Whether there is such a message: for keys made of a server's codes or names. */
export function has(key: string): boolean {
  return key in CATALOGUES[settings.language];
}

/** 1 house, 2 houses: a number with the edition's word. */
export function count(number: number, word: "house" | "cheque" | "coin"): string {
  const one = new Intl.PluralRules(settings.language).select(number) === "one";
  return `${number} ${wordValues[one ? word : `${word}s`]}`;
}
