/**
 * A QR code of a short text, made here: the link to another device holds a secret, which must not travel to a server to
 * be drawn. Versions 1 to 6 with the lowest error correction, byte mode, one mask: enough for a link on a screen.
 */

/** By version from 1: the codewords for data and for correction in each block, and the blocks. */
const VERSIONS = [
  { data: 19, correction: 7, blocks: 1 },
  { data: 34, correction: 10, blocks: 1 },
  { data: 55, correction: 15, blocks: 1 },
  { data: 80, correction: 20, blocks: 1 },
  { data: 108, correction: 26, blocks: 1 },
  { data: 68, correction: 18, blocks: 2 },
] as const;

/** Lowest correction with mask 0, as its own error-correcting code writes it. */
const FORMAT = 0b111011111000100;

/** The dark modules, row by row; null for a text that is too long. */
export function qrCode(text: string): readonly (readonly boolean[])[] | null {
  const bytes = new TextEncoder().encode(text);
  const at = VERSIONS.findIndex(({ data, blocks }) => bytes.length + 2 <= data * blocks);
  const version = VERSIONS[at];
  return version === undefined ? null : draw(at + 1, codewords(bytes, version));
}

function codewords(bytes: Uint8Array, { data, correction, blocks }: (typeof VERSIONS)[number]): number[] {
  // Mode (4 bits), length (8 bits), the bytes, an end (4 bits): so everything is shifted by half a byte.
  const halves = [4, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) halves.push(byte >> 4, byte & 15);
  halves.push(0);
  const all: number[] = [];
  for (let i = 0; i < halves.length; i += 2) all.push((halves[i]! << 4) | halves[i + 1]!);
  for (let pad = 0xec; all.length < data * blocks; pad ^= 0xec ^ 0x11) all.push(pad);
  const parts = Array.from({ length: blocks }, (_, i) => all.slice(i * data, (i + 1) * data));
  const checks = parts.map((part) => remainder(part, correction));
  return [...interleaved(parts, data), ...interleaved(checks, correction)];
}

function interleaved(parts: readonly number[][], length: number): number[] {
  return Array.from({ length }, (_, i) => parts.map((part) => part[i]!)).flat();
}

/** Reed and Solomon's: the remainder of the data by a polynomial with so many roots. */
function remainder(data: readonly number[], length: number): number[] {
  let divisor = [1];
  for (let i = 0, root = 1; i < length; i++, root = times(root, 2)) {
    const shifted = [...divisor, 0];
    divisor = shifted.map((factor, at) => factor ^ (at > 0 ? times(divisor[at - 1]!, root) : 0));
  }
  const rest = [...data, ...Array<number>(length).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i]!;
    divisor.forEach((each, at) => (rest[i + at]! ^= times(each, factor)));
  }
  return rest.slice(data.length);
}

/** In the field of 256 elements. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
    if ((b >> bit) & 1) product ^= a;
  }
  return product;
}

function draw(version: number, words: readonly number[]): boolean[][] {
  const size = 17 + 4 * version;
  const grid: (boolean | null)[][] = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const put = (x: number, y: number, dark: boolean) => {
    if (x >= 0 && y >= 0 && x < size && y < size) grid[y]![x] = dark;
  };

  for (let i = 0; i < size; i++) {
    put(6, i, i % 2 === 0);
    put(i, 6, i % 2 === 0);
  }
  const square = (centreX: number, centreY: number, reach: number, isDark: (ring: number) => boolean) => {
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) put(centreX + x, centreY + y, isDark(Math.max(Math.abs(x), Math.abs(y))));
    }
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  if (version > 1) square(size - 7, size - 7, 2, (ring) => ring !== 1);

  for (let i = 0; i < 15; i++) {
    const dark = ((FORMAT >> i) & 1) === 1;
    put(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, dark);
    put(i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i, 8, dark);
  }
  put(8, size - 8, true);

  // In columns two modules wide from the right, up and down in turn; the timing's column is left out.
  let bit = 0;
  let isUpwards = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, isUpwards = !isUpwards) {
    for (let step = 0; step < size; step++) {
      const y = isUpwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y]![x] !== null) continue;
        const dark = ((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        grid[y]![x] = ((dark ^ Number((x + y) % 2 === 0)) & 1) === 1;
        bit++;
      }
    }
  }
  return grid.map((row) => row.map(Boolean));
}
