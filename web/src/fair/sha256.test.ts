import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { hexOf } from "./deal";
import { sha256 } from "./sha256";

const hash = (text: string) => hexOf(sha256(new TextEncoder().encode(text)));

test("the examples of the standard", () => {
  expect(hash("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(hash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});

test("every length around the border of a block, like another implementation", () => {
  for (const length of [1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) & 255);
    expect(hexOf(sha256(bytes))).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});

test("no constant is so near to a whole number that another browser's roots could round it differently", () => {
  const primes = Array.from({ length: 312 }, (_, n) => n).filter((n) => n > 1 && !divisible(n));
  const parts = [...primes.map(Math.cbrt), ...primes.slice(0, 8).map(Math.sqrt)].map((root) => (root * 2 ** 32) % 1);
  expect(primes).toHaveLength(64);
  expect(Math.min(...parts.map((part) => Math.min(part, 1 - part)))).toBeGreaterThan(1e-4);
});

function divisible(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return true;
  return false;
}
