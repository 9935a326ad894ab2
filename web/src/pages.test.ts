import { describe, expect, it } from "vitest";

import { pageOf } from "./pages";

const nothing = pageOf("/no-such-page").load;

describe("addresses", () => {
  it.each(["/", "/new", "/g", "/learn", "/settings", "/link", "/learn/"])("%s is a page", (path) => {
    const found = pageOf(path);
    expect(found.load).not.toBe(nothing);
    expect(found.props).toEqual({});
  });

  it.each(["/t/k7m2pqrst4x", "/t/k7m2pqrst4x/", "/g/k7m2pqrst4x"])("%s is a table or a game", (path) => {
    const found = pageOf(path);
    expect(found.load).not.toBe(nothing);
    expect(found.props).toEqual({ id: "k7m2pqrst4x" });
  });

  it("tell a game from the page that takes a file", () =>
    expect(pageOf("/g").load).toBe(pageOf("/g/k7m2pqrst4x").load));

  it.each(["/t", "/t/", "/t/a/b", "/new/x", "/x", "/x/y", "/constructor", "/__proto__", "/toString"])(
    "%s leads nowhere",
    (path) => expect(pageOf(path)).toEqual({ load: nothing, props: {} }),
  );
});
