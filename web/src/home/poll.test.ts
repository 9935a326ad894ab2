import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { poll } from "./poll";

let visibility = "visible";

beforeEach(() => {
  vi.useFakeTimers();
  visibility = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility as DocumentVisibilityState);
});
afterEach(() => vi.useRealTimers());

describe("polling", () => {
  it("asks at once, then every so often, until it ends", async () => {
    const ask = vi.fn(() => Promise.resolve());
    const end = poll(ask, 10_000, 3_000);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ask).toHaveBeenCalledTimes(3);
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it("asks sooner after a failure", async () => {
    const ask = vi.fn(() => Promise.reject(new Error()));
    const end = poll(ask, 10_000, 3_000);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ask).toHaveBeenCalledTimes(2);
    end();
  });

  it("rests while nobody looks, and asks at once when somebody does again", async () => {
    const ask = vi.fn(() => Promise.resolve());
    const end = poll(ask, 10_000, 3_000);
    await vi.advanceTimersByTimeAsync(0);
    visibility = "hidden";
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ask).toHaveBeenCalledTimes(1);
    visibility = "visible";
    document.dispatchEvent(new Event("visibilitychange"));
    expect(ask).toHaveBeenCalledTimes(2);
    end();
  });

  it("never asks twice at the same time", async () => {
    const ask = vi.fn(() => new Promise<void>(() => {}));
    const end = poll(ask, 10_000, 3_000);
    dispatchEvent(new Event("online"));
    expect(ask).toHaveBeenCalledTimes(1);
    end();
  });
});
