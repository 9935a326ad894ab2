import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { router } from "./router.svelte";

function click(html: string, how: MouseEventInit = {}): Event {
  document.body.innerHTML = html;
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, button: 0, ...how });
  // A browser would follow the link unless the client has: here nobody is to go anywhere.
  const stop = (each: Event) => {
    wasTaken = each.defaultPrevented;
    each.preventDefault();
  };
  addEventListener("click", stop, { once: true });
  document.body.querySelector("a, span")!.dispatchEvent(event);
  removeEventListener("click", stop);
  return event;
}
let wasTaken = false;

beforeAll(() => router.start());
beforeEach(() => router.go("/"));

describe("the router", () => {
  it("goes where it is told", () => {
    router.go("/t/abc#12");
    expect(router).toMatchObject({ path: "/t/abc", hash: "#12", isReturn: false });
    expect(location.pathname).toBe("/t/abc");
  });

  it("adds nothing to the history for where one is already", () => {
    const push = vi.spyOn(history, "pushState");
    router.go("/");
    expect(push).not.toHaveBeenCalled();
    router.go("/learn");
    expect(push).toHaveBeenCalledOnce();
  });

  it("leaves no trace of a place that is replaced", () => {
    const push = vi.spyOn(history, "pushState");
    router.go("/link", "replace");
    expect(push).not.toHaveBeenCalled();
    expect(router.path).toBe("/link");
  });

  it("follows the browser back", () => {
    history.replaceState(null, "", "/settings");
    dispatchEvent(new Event("popstate"));
    expect(router).toMatchObject({ path: "/settings", isReturn: true });
  });

  it("takes over plain clicks on links within the client, also on what is inside them", () => {
    click('<a href="/learn">Learn</a>');
    expect(wasTaken).toBe(true);
    expect(router.path).toBe("/learn");
  });

  it.each([
    ['<a href="/learn" target="_blank">x</a>', {}],
    ['<a href="/learn" download>x</a>', {}],
    ['<a href="https://elsewhere.example/">x</a>', {}],
    ['<a href="mailto:a@b.example">x</a>', {}],
    ['<a href="/api">x</a>', {}],
    ['<a href="/api/tables/x/record">x</a>', {}],
    ['<a href="#main">x</a>', {}],
    ["<a>no link</a>", {}],
    ["<span>x</span>", {}],
    ['<a href="/learn">x</a>', { ctrlKey: true }],
    ['<a href="/learn">x</a>', { metaKey: true }],
    ['<a href="/learn">x</a>', { shiftKey: true }],
    ['<a href="/learn">x</a>', { button: 1 }],
  ])("leaves %s %j to the browser", (html, how) => {
    click(html, how);
    expect(wasTaken).toBe(false);
    expect(router.path).toBe("/");
  });
});
