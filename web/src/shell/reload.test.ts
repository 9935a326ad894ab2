import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { api, Refused } from "../net/api";
import type { Choices } from "../protocol";
import { mayReload, reloadWhenBack } from "./reload";

const away = () => Promise.reject(new Refused("offline", ""));
const back = () => Promise.resolve({} as Choices);

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe("a page that cannot be loaded", () => {
  it("is loaded anew once, and not at once again", () => {
    expect(mayReload(100_000)).toBe(true);
    expect(mayReload(105_000)).toBe(false);
    expect(mayReload(200_000)).toBe(true);
  });

  it("waits for the server", async () => {
    vi.spyOn(api, "choices").mockImplementationOnce(away).mockImplementationOnce(away).mockImplementation(back);
    const reload = vi.fn();
    reloadWhenBack(reload);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("is forgotten when its user goes elsewhere", async () => {
    vi.spyOn(api, "choices").mockImplementationOnce(away).mockImplementation(back);
    const reload = vi.fn();
    reloadWhenBack(reload)();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reload).not.toHaveBeenCalled();
  });
});
