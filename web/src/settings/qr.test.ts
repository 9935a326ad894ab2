import { describe, expect, it } from "vitest";

import { qrCode } from "./qr";

// What segno, the server's own library for these, makes of the same texts with the same version, level and mask.
const link = `https://forsale.example/link#${"aZ09_-x".repeat(30)}`;

function picture(text: string): string[] {
  return qrCode(text)!.map((row) => row.map((isDark) => (isDark ? "#" : ".")).join(""));
}

describe("a QR code", () => {
  it("is that of another library", () =>
    expect(picture(link.slice(0, 17))).toEqual([
      "#######..#....#######",
      "#.....#..###..#.....#",
      "#.###.#.#####.#.###.#",
      "#.###.#..##...#.###.#",
      "#.###.#..##...#.###.#",
      "#.....#.......#.....#",
      "#######.#.#.#.#######",
      "........##.#.........",
      "###.#####.##.##...#..",
      "..#.##.##.###.###...#",
      "..#..###.#.###..#.###",
      "#....#.###......#..#.",
      "....###..#..#..#.#...",
      "........#.###..##..##",
      "#######.##.##...#.###",
      "#.....#.##..#..##....",
      "#.###.#.#...#....#..#",
      "#.###.#...#.#.#.##...",
      "#.###.#.######..#.#.#",
      "#.....#.#..##...#..#.",
      "#######.###.##..##.##",
    ]));

  it.each([
    [17, 21, 487135],
    [32, 25, 861318],
    [53, 29, 296850],
    [78, 33, 795805],
    [106, 37, 917512],
    [134, 41, 185520],
  ])("of %i bytes is the other library's: %i modules wide, checksum %i", (length, size, checksum) => {
    const rows = picture(link.slice(0, length));
    expect(rows).toHaveLength(size);
    let sum = 0;
    for (const module of rows.join("")) sum = (sum * 31 + Number(module === "#")) % 1_000_003;
    expect(sum).toBe(checksum);
  });

  it("counts bytes, not letters", () => expect(qrCode("é".repeat(9))).toHaveLength(25));

  it("is not made of what does not fit", () => expect(qrCode("x".repeat(135))).toBeNull());
});
