import { beforeEach, expect, test } from "vitest";

import { read } from "./file";

beforeEach(() => sessionStorage.clear());

const file = (...parts: BlobPart[]) => new File(parts, "game.fsr");

test("a text", async () => {
  expect(await read(file('[Players "Cléo"]\n'))).toEqual({ name: "game.fsr", text: '[Players "Cléo"]\n' });
});

test("a byte order mark stays: the server says what is wrong with it", async () => {
  expect(await read(file("\ufeff[ForSale]"))).toMatchObject({ text: "\ufeff[ForSale]" });
});

test("not a text", async () => {
  expect(await read(file(Uint8Array.of(0x89, 0x50, 0xff, 0xfe)))).toBe("binary");
});

test("too large", async () => {
  expect(await read(file(new Uint8Array(2 ** 20 + 1)))).toBe("large");
});

test("not there any more", async () => {
  const gone = { name: "gone.fsr", size: 3, arrayBuffer: () => Promise.reject(new Error()) } as unknown as File;
  expect(await read(gone)).toBe("unreadable");
});
