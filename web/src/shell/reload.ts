/**
 * A page's file could not be fetched: the server is away, or a new version of the client has files of other names.
 * Both end the same way: as soon as the server answers, the whole page is loaded anew, but not again and again.
 */

import { api } from "../net/api";

const KEY = "forsale.reloaded";
const NOT_AGAIN_WITHIN = 20_000; // milliseconds
const EVERY = 2_000;

/** Whether to reload now. A reload that has just been tried did not help. */
export function mayReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (now - last < NOT_AGAIN_WITHIN) return false;
    sessionStorage.setItem(KEY, String(now));
    return true;
  } catch {
    return false; // nothing can be remembered, so it could go on for ever
  }
}

/** Reloads when the server answers. Returns what calls that off. */
export function reloadWhenBack(reload: () => void = () => location.reload()): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOff = false;
  const attempt = async (): Promise<void> => {
    const isBack = await api.choices().then(
      () => true,
      () => false,
    );
    if (isOff) return;
    if (!isBack) timer = setTimeout(() => void attempt(), EVERY);
    else if (mayReload(Date.now())) reload();
  };
  void attempt();
  return () => {
    isOff = true;
    clearTimeout(timer);
  };
}
