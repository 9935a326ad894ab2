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

const ROOMS = new Map<string, Found["load"]>([
  ["", home],
  ["new", create],
  ["g", replay],
  ["learn", learn],
  ["settings", settings],
  ["link", link],
]);
const TABLES = new Map<string, Found["load"]>([
  ["t", table],
  ["g", replay],
]);

export function pageOf(path: string): Found {
  const [room = "", id, ...rest] = path.slice(1).replace(/\/$/, "").split("/");
  const load = rest.length > 0 ? undefined : (id === undefined ? ROOMS : TABLES).get(room);
  return { load: load ?? nothing, props: load === undefined || id === undefined ? {} : { id } };
}
