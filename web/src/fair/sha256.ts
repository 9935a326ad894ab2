/** SHA-256 (FIPS 180-4). Browsers have their own only on https addresses, and a club's server is on plain http. */

const ROUNDS = 64;
const BLOCK = 64;

/** The first 32 bits of the fractional parts of a root of the first primes: the standard's own constants. */
function constants(root: (prime: number) => number, length: number): Uint32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < length; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}

const K = constants(Math.cbrt, ROUNDS);
const START = constants(Math.sqrt, 8);

export function sha256(message: Uint8Array): Uint8Array {
  const padded = pad(message);
  const data = new DataView(padded.buffer);
  const state = START.slice();
  const words = new Uint32Array(ROUNDS);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 16; i++) words[i] = data.getUint32(at + 4 * i);
    compress(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/** The message, a bit 1, zeros up to a whole block, and its length in bits in the last 8 bytes. */
function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  data.setUint32(padded.length - 4, message.length << 3);
  return padded;
}

/** Takes one block of 16 words into the state. The array has room for the 48 that are made of them. */
function compress(state: Uint32Array, words: Uint32Array): void {
  for (let i = 16; i < ROUNDS; i++) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < ROUNDS; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + words[i]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i]! += word));
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
