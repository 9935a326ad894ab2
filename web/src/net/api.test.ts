import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { api, whenForgotten } from "./api";

const ask = vi.fn<typeof fetch>();
const answer = (status: number, body: unknown) => Promise.resolve(new Response(JSON.stringify(body), { status }));
const problem = (status: number, code: string) => answer(status, { code, sentence: "Because." });

beforeEach(() => {
  ask.mockReset();
  vi.stubGlobal("fetch", ask);
});
afterEach(() => {
  vi.unstubAllGlobals();
  whenForgotten(() => Promise.resolve());
});

describe("a request", () => {
  it("sends what the protocol says", async () => {
    ask.mockReturnValueOnce(answer(200, { id: "g", name: "Ana" }));
    expect(await api.rename("Ana")).toEqual({ id: "g", name: "Ana" });
    const [path, how] = ask.mock.calls[0]!;
    expect(path).toBe("/api/me");
    expect(how).toMatchObject({ method: "PUT", body: '{"name":"Ana"}', headers: { "Content-Type": "application/json" } });
  });

  it("keeps a strange id within its place", async () => {
    ask.mockReturnValueOnce(problem(404, "table/unknown"));
    await expect(api.table("../me?")).rejects.toMatchObject({ code: "table/unknown", message: "Because." });
    expect(ask.mock.calls[0]![0]).toBe("/api/tables/..%2Fme%3F");
  });

  it("is offline when nobody answers, or a proxy says that nobody does", async () => {
    ask.mockRejectedValueOnce(new TypeError("no network"));
    await expect(api.me()).rejects.toMatchObject({ code: "offline" });
    ask.mockResolvedValueOnce(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    await expect(api.me()).rejects.toMatchObject({ code: "offline" });
  });

  it("is a fault when the answer has no words of ours", async () => {
    ask.mockResolvedValueOnce(new Response("oh", { status: 500 }));
    await expect(api.me()).rejects.toMatchObject({ code: "server/fault" });
  });

  it("makes us known again to a server that has forgotten us, and asks once more", async () => {
    const introduce = vi.fn(() => Promise.resolve());
    whenForgotten(introduce);
    ask.mockReturnValueOnce(problem(401, "guest/unknown")).mockReturnValueOnce(answer(201, { id: "t", url: "" }));
    expect(await api.open({})).toMatchObject({ id: "t" });
    expect(introduce).toHaveBeenCalledOnce();
  });

  it("does not ask for ever", async () => {
    ask.mockImplementation(() => problem(401, "guest/unknown"));
    await expect(api.open({})).rejects.toMatchObject({ code: "guest/unknown" });
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
