/** A small part of ICU's message format: `{name}` and `{n, plural, one {# house} other {# houses}}`. */

export type Values = Readonly<Record<string, string | number>>;

/** Puts the values into a message. A name without a value is a mistake in the code or the catalogue, and says so. */
export function format(message: string, values: Values, language: string): string {
  let text = "";
  let at = 0;
  while (at < message.length) {
    const open = message.indexOf("{", at);
    if (open < 0) break;
    const close = closing(message, open);
    text += message.slice(at, open) + placeholder(message.slice(open + 1, close), values, language);
    at = close + 1;
  }
  return text + message.slice(at);
}

/** The names that a message asks for. */
export function names(message: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const match of message.matchAll(/\{(\w+)(?=[,}])/g)) found.add(match[1]!);
  return found;
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
  const [, name, rest] = /^(\w+)(?:, plural, (.*))?$/s.exec(inner) ?? [];
  if (name === undefined) throw new Error(`Not a placeholder: {${inner}}`);
  const value = values[name];
  if (value === undefined) throw new Error(`No value for {${name}}`);
  if (rest === undefined) return String(value);
  return format(form(rest, Number(value), language).replaceAll("#", String(value)), values, language);
}

function form(forms: string, count: number, language: string): string {
  const wanted = new Intl.PluralRules(language).select(count);
  let other = "";
  for (let at = 0; at < forms.length; ) {
    const open = forms.indexOf("{", at);
    if (open < 0) break;
    const close = closing(forms, open);
    const category = forms.slice(at, open).trim();
    const text = forms.slice(open + 1, close);
    if (category === wanted) return text;
    if (category === "other") other = text;
    at = close + 1;
  }
  return other;
}
