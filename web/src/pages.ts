/** Which page an address shows. Each page is a file of its own, fetched when it is first opened. */

import type { Component } from "svelte";

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- the pages' props differ, and each is given its own */
type Page = Component<any>;

export interface Found {
  readonly load: () => Promise<{ readonly default: Page }>;
  readonly props: Readonly<Record<string, unknown>>;
}

const home = () => import("./home/HomePage.svelte");
const create = () => import("./home/NewTablePage.svelte");
const table = () => import("./table/TablePage.svelte");
const replay = () => import("./replay/ReplayPage.svelte");
const learn = () => import("./learn/LearnPage.svelte");
const settings = () => import("./settings/SettingsPage.svelte");
const link = () => import("./settings/LinkPage.svelte");
const nothing = () => import("./home/NothingPage.svelte");

export function pageOf(path: string): Found {
  const [, room = "", id, rest] = path.split("/");
  if (rest !== undefined) return { load: nothing, props: {} };
  if (id === undefined || id === "") {
    const load = { "": home, new: create, g: replay, learn, settings, link }[room] ?? nothing;
    return { load, props: {} };
  }
  if (room === "t") return { load: table, props: { id } };
  if (room === "g") return { load: replay, props: { id } };
  return { load: nothing, props: {} };
}
