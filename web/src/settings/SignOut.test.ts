import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { known } from "../me.svelte";
import { Refused } from "../net/api";
import { notices } from "../notices.svelte";
import { settings } from "../settings.svelte";
import SignOut from "./SignOut.svelte";

const ask = vi.fn<typeof fetch>();
const button = (name: string) => screen.getByRole("button", { name });

beforeEach(() => {
  settings.language = "en";
  known.me = { id: "g", name: "Ana" };
  vi.spyOn(known, "ready").mockResolvedValue();
  ask.mockReset().mockImplementation(() => Promise.resolve(new Response('{"id":"g","name":"Ana again"}')));
  vi.stubGlobal("fetch", ask);
  render(SignOut);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  notices.all.forEach(({ id }) => notices.dismiss(id));
});

describe("signing out everywhere", () => {
  it("asks first, then signs the other devices out and stays who we are", async () => {
    await fireEvent.click(button("Sign out everywhere"));
    expect(ask).not.toHaveBeenCalled();
    await fireEvent.click(button("Sign out the others"));
    await vi.waitFor(() => expect(notices.all.at(-1)?.text).toBe("Only this browser is signed in now."));
    const [path, how] = ask.mock.calls[0]!;
    expect(path).toBe("/api/me/sign-out");
    expect(how).toMatchObject({ method: "POST" });
    expect(how).not.toHaveProperty("body");
    expect(known.me?.name).toBe("Ana again");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("can be called off", async () => {
    await fireEvent.click(button("Sign out everywhere"));
    await fireEvent.click(button("Cancel"));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(ask).not.toHaveBeenCalled();
  });

  it("says why it was not done", async () => {
    vi.spyOn(known, "signOutElsewhere").mockRejectedValue(new Refused("request/too-many", ""));
    await fireEvent.click(button("Sign out everywhere"));
    await fireEvent.click(button("Sign out the others"));
    await vi.waitFor(() => expect(notices.all.at(-1)?.kind).toBe("bad"));
  });
});
