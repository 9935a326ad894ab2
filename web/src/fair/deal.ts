/** The fair shuffle of docs/fair-shuffle.md, step by step: what a secret and the players' seeds deal. */

import type { Rules } from "../protocol";
import { sha256 } from "./sha256";

export interface Deal {
  readonly houses: readonly number[];
  readonly cheques: readonly number[];
  readonly removedHouses: readonly number[];
  readonly removedCheques: readonly number[];
  /** The seat that begins. */
  readonly first: number;
}

/** What of a game's rules the deal depends on. */
export type Box = Pick<Rules, "houses" | "cheques" | "removed" | "seats">;

const WORDS = 2 ** 32;
const text = new TextEncoder();

/** Bytes written as small hexadecimal digits; null for any other text. */
export function bytesOf(hex: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})*$/.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What is published before the game. */
export function commitmentOf(secret: Uint8Array): string {
  return hexOf(sha256(joined([text.encode("forsale commit 1"), secret])));
}

/** One seed a seat; an empty one for a seat that gave none. */
export function fairDeal(secret: Uint8Array, seeds: readonly string[], box: Box): Deal {
  const below = draws(keyOf(secret, seeds));
  const houses = shuffled(box.houses, below);
  const cheques = shuffled(box.cheques, below);
  return {
    houses: houses.slice(box.removed),
    cheques: cheques.slice(box.removed),
    removedHouses: houses.slice(0, box.removed),
    removedCheques: cheques.slice(0, box.removed),
    first: below(box.seats),
  };
}

export function keyOf(secret: Uint8Array, seeds: readonly string[]): Uint8Array {
  const parts = seeds.flatMap((seed) => {
    const bytes = text.encode(seed);
    return [bigEndian(bytes.length, 4), bytes];
  });
  return sha256(joined([text.encode("forsale deal 1"), secret, ...parts]));
}

/** Draws numbers below a limit, each as likely as the others. */
function draws(key: Uint8Array): (limit: number) => number {
  const words = stream(key);
  return (limit) => {
    for (;;) {
      const word = words.next().value;
      if (word < WORDS - (WORDS % limit)) return word % limit;
    }
  };
}

export function* stream(key: Uint8Array): Generator<number, never> {
  for (let block = 0; ; block++) {
    const data = new DataView(sha256(joined([key, bigEndian(block, 8)])).buffer);
    for (let at = 0; at < 32; at += 4) yield data.getUint32(at);
  }
}

function shuffled(cards: readonly number[], below: (limit: number) => number): readonly number[] {
  const deck = cards.toSorted((a, b) => a - b);
  for (let i = deck.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [deck[i], deck[j]] = [deck[j]!, deck[i]!];
  }
  return deck;
}

function bigEndian(value: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(length - 4, value);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
