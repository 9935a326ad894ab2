import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { known } from "../me.svelte";
import type { Choices } from "../protocol";
import { settings } from "../settings.svelte";
import OptionsForm from "./OptionsForm.svelte";
import { own } from "./testing";

const choices: Choices = {
  editions: [],
  levels: ["lodger", "landlord", "broker"],
  bots: ["lodger", "landlord", "broker", "random", "thrifty"],
  reactions: [],
  options: own,
};

function show(bot: string, change: Partial<Choices> = {}): void {
  const shown = { ...choices, ...change };
  known.choices = shown;
  render(OptionsForm, { choices: shown, options: { ...own, bot } });
}

const others = (): HTMLDetailsElement => screen.getByText("Other characters").closest("details")!;
const radio = (name: RegExp): HTMLInputElement => screen.getByRole<HTMLInputElement>("radio", { name, hidden: true });

beforeEach(() => (settings.language = "en"));
afterEach(() => {
  cleanup();
  known.choices = null;
});

describe("the bots of a new table", () => {
  it("are the levels, each of which says how strong it is", () => {
    show("broker");
    const bots = screen.getByRole("group", { name: "Bots" });
    const labels = [...bots.querySelectorAll("label")].filter((label) => !others().contains(label));
    expect(labels.map((label) => label.querySelector(".name")!.textContent.replace(/\s+/g, " ").trim())).toEqual([
      "Lodger level 1 of 3",
      "Landlord level 2 of 3",
      "Broker level 3 of 3",
    ]);
    expect(radio(/^Broker/).checked).toBe(true);
  });

  it("have the others behind them, also those that we have no words for", () => {
    show("broker");
    expect(others().open).toBe(false);
    expect([...others().querySelectorAll("input")].map(({ value }) => value)).toEqual(["random", "thrifty"]);
    expect(others().textContent).toContain("Dreamer");
    expect(others().textContent).toContain("Thrifty");
  });

  it("show one of the others if it is the one", () => {
    show("thrifty");
    expect(others().open).toBe(true);
    expect(radio(/^Thrifty/).checked).toBe(true);
  });

  it("are one choice: who takes one of the others has no level any more, and sees which it is", async () => {
    show("broker");
    others().open = true;
    await fireEvent(others(), new Event("toggle"));
    await fireEvent.click(radio(/^Dreamer/));
    expect(radio(/^Broker/).checked).toBe(false);
    expect(others().querySelector("summary")!.textContent).not.toContain("Dreamer");
    others().open = false;
    await fireEvent(others(), new Event("toggle"));
    expect(others().querySelector("summary")!.textContent).toContain("Dreamer");
  });

  it("are the levels alone where there are no others", () => {
    show("broker", { bots: choices.levels });
    expect(screen.queryByText("Other characters")).toBeNull();
  });
});
