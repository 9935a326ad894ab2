import { describe, expect, it } from "vitest";

import { addressOf } from "./code";

describe("what people paste", () => {
  it.each([
    ["https://play.example/t/k7m2pqrst4x", "/t/k7m2pqrst4x"],
    ["http://127.0.0.1:8000/t/k7m2pqrst4x/", "/t/k7m2pqrst4x"],
    ["play.example/t/k7m2pqrst4x?utm=1", "/t/k7m2pqrst4x"],
    ["https://play.example/g/k7m2pqrst4x#12", "/g/k7m2pqrst4x"],
    ["/t/k7m2pqrst4x", "/t/k7m2pqrst4x"],
    ["t/k7m2pqrst4x", "/t/k7m2pqrst4x"],
    ["  k7m2pqrst4x\n", "/t/k7m2pqrst4x"],
    ["K7M2 PQRS T4X", "/t/k7m2pqrst4x"],
    ["k7m2-pqrs-t4x", "/t/k7m2pqrst4x"],
  ])("%j leads to %s", (text, address) => expect(addressOf(text)).toBe(address));

  it.each(["", "   ", "hello!", "abc", "https://play.example/", "https://play.example/learn", "/t/", "/t/../etc"])(
    "%j leads nowhere",
    (text) => expect(addressOf(text)).toBeNull(),
  );
});
