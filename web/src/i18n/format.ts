/** A small part of ICU's message format: `{name}` and `{n, plural, =0 {none} one {# house} other {# houses}}`. */

export type Values = Readonly<Record<string, string | number>>;

/** Puts the values into a message. A name without a value is a mistake in the code or the catalogue, and says so. */
export function format(message: string, values: Values, language: string): string {
  let text = "";
  let at = 0;
  for (const [before, inner] of braced(message)) {
    text += before + placeholder(inner, values, language);
    at += before.length + inner.length + 2;
  }
  return text + message.slice(at);
}

/** The names that a message asks for, also within the forms of a plural. */
export function names(message: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, inner] of braced(message)) {
    const { name, forms } = parsed(inner);
    found.add(name);
    for (const [, text] of braced(forms ?? "")) names(text).forEach((each) => found.add(each));
  }
  return found;
}

/** What stands within the outermost braces, each with what stands before it. */
function* braced(message: string): Generator<readonly [before: string, inner: string]> {
  let at = 0;
  for (let open = message.indexOf("{"); open >= 0; open = message.indexOf("{", at)) {
    const close = closing(message, open);
    yield [message.slice(at, open), message.slice(open + 1, close)];
    at = close + 1;
  }
}

function closing(message: string, open: number): number {
  let depth = 0;
  for (let at = open; at < message.length; at++) {
    if (message[at] === "{") depth++;
    else if (message[at] === "}" && --depth === 0) return at;
  }
  throw new Error(`A { is not closed in the message: ${message}`);
}

function placeholder(inner: string, values: Values, language: string): string {
  const { name, forms } = parsed(inner);
  const value = values[name];
  if (value === undefined) throw new Error(`No value for {${name}}`);
  if (forms === undefined) return String(value);
  return format(form(forms, Number(value), language).replaceAll("#", String(value)), values, language);
}

function parsed(inner: string): { name: string; forms: string | undefined } {
  const [, name, forms] = /^(\w+)(?:, plural, (.*))?$/s.exec(inner) ?? [];
  if (name === undefined) throw new Error(`Not a placeholder: {${inner}}`);
  return { name, forms };
}

/** The form for a number: its own (`=0`), that of its category in the language, or `other`. */
function form(forms: string, count: number, language: string): string {
  const found = new Map<string, string>();
  for (const [before, text] of braced(forms)) found.set(before.trim(), text);
  const category = new Intl.PluralRules(language).select(count);
  const text = found.get(`=${count}`) ?? found.get(category) ?? found.get("other");
  if (text === undefined) throw new Error(`No form "other" in: ${forms}`);
  return text;
}
