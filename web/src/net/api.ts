/** The requests of docs/protocol.md. What the server refuses is thrown as a `Refused`. */

import type {
  Choices,
  Code,
  DeviceLink,
  History,
  Me,
  OpenTable,
  Options,
  Problem,
  Replay,
  TableCreated,
  TableInfo,
} from "../protocol";

/** Why something was not done; `offline` when no server answered. */
export class Refused extends Error {
  constructor(
    readonly code: Code | "offline",
    sentence: string,
  ) {
    super(sentence);
  }
}

const PATIENCE = 20_000; // milliseconds

/** Makes us known to a server that has forgotten us: the cookie is gone, or its store is a new one. */
let introduce: (() => Promise<void>) | null = null;

export function whenForgotten(then: () => Promise<void>): void {
  introduce = then;
}

async function ask(method: string, path: string, body?: string, type?: string): Promise<Response> {
  const response = await answer(method, path, body, type);
  if (response.ok) return response;
  const why = await refusal(response);
  if (why.code !== "guest/unknown" || introduce === null) throw why;
  await introduce();
  const second = await answer(method, path, body, type);
  if (second.ok) return second;
  throw await refusal(second);
}

async function answer(method: string, path: string, body?: string, type?: string): Promise<Response> {
  try {
    const headers: Record<string, string> = type === undefined ? {} : { "Content-Type": type };
    const signal = AbortSignal.timeout(PATIENCE);
    return await fetch(path, { method, headers, signal, ...(body === undefined ? {} : { body }) });
  } catch {
    throw new Refused("offline", "The server does not answer.");
  }
}

async function refusal(response: Response): Promise<Refused> {
  try {
    const problem = (await response.json()) as Problem;
    return new Refused(problem.code, problem.sentence);
  } catch {
    // No words of our server: a proxy in front of it says so while it restarts.
    const isAway = response.status >= 502 && response.status <= 504;
    return new Refused(isAway ? "offline" : "server/fault", `The server answered ${response.status}.`);
  }
}

async function get<Answer>(path: string): Promise<Answer> {
  return (await (await ask("GET", path)).json()) as Answer;
}

async function send<Answer>(method: "POST" | "PUT", path: string, body?: unknown): Promise<Answer> {
  const response =
    body === undefined
      ? await ask(method, path)
      : await ask(method, path, JSON.stringify(body), "application/json");
  return (await response.json()) as Answer;
}

const of = (table: string) => `/api/tables/${encodeURIComponent(table)}`;
const seen = (seat: string | null) => (seat === null ? "" : `?seat=${seat}`);

export const api = {
  me: () => get<Me>("/api/me"),
  rename: (name: string) => send<Me>("PUT", "/api/me", { name }),
  myGames: () => get<History>("/api/me/games"),
  makeLink: () => send<DeviceLink>("POST", "/api/me/link"),
  /** Other devices of ours are signed out; this one stays. */
  signOutElsewhere: () => send<Me>("POST", "/api/me/sign-out"),
  redeem: (secret: string) => send<Me>("POST", "/api/me/redeem", { secret }),
  choices: () => get<Choices>("/api/choices"),
  openTables: () => get<OpenTable[]>("/api/tables"),
  open: (options: Partial<Options>) => send<TableCreated>("POST", "/api/tables", options),
  table: (id: string) => get<TableInfo>(of(id)),
  join: (id: string, seed: string) => send<TableInfo>("POST", `${of(id)}/join`, { seed }),
  leave: (id: string) => send<TableInfo>("POST", `${of(id)}/leave`),
  start: (id: string) => send<TableInfo>("POST", `${of(id)}/start`),
  switchChat: (id: string, on: boolean) => send<TableInfo>("POST", `${of(id)}/chat`, { on }),
  rematch: (id: string) => send<TableCreated>("POST", `${of(id)}/rematch`),
  /** `seat` is a letter; null: all cards open. */
  replay: (id: string, seat: string | null) => get<Replay>(`${of(id)}/replay${seen(seat)}`),
  replayRecord: async (record: string, seat: string | null) =>
    (await (await ask("POST", `/api/replay${seen(seat)}`, record, "text/plain")).json()) as Replay,
  record: async (id: string) => (await ask("GET", `${of(id)}/record`)).text(),
  recordUrl: (id: string) => `${of(id)}/record`,
  /** Which version of forsale the server is. */
  version: async () => (await get<{ info: { version: string } }>("/api/openapi.json")).info.version,
  qrUrl: (id: string) => `${of(id)}/qr.svg`,
};
