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

async function ask(method: string, path: string, body?: string, type?: string): Promise<Response> {
  let response: Response;
  try {
    const headers: Record<string, string> = type === undefined ? {} : { "Content-Type": type };
    response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
  } catch {
    throw new Refused("offline", "The server does not answer.");
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<Refused> {
  try {
    const problem = (await response.json()) as Problem;
    return new Refused(problem.code, problem.sentence);
  } catch {
    return new Refused("server/fault", `The server answered ${response.status}.`);
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
  redeem: (secret: string) => send<Me>("POST", "/api/me/redeem", { secret }),
  choices: () => get<Choices>("/api/choices"),
  openTables: () => get<OpenTable[]>("/api/tables"),
  open: (options: Partial<Options>) => send<TableCreated>("POST", "/api/tables", options),
  playNow: (options: Partial<Options>) => send<TableCreated>("POST", "/api/play-now", options),
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
  qrUrl: (id: string) => `${of(id)}/qr.svg`,
};
