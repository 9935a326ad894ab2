/** Short notices at the edge of the screen: what was refused, what was copied. Each goes by itself. */

import { announcer } from "./announce.svelte";
import { has, t } from "./i18n/index.svelte";
import { Refused } from "./net/api";

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: "info" | "bad";
}

class Notices {
  all = $state.raw<readonly Notice[]>([]);
  #next = 1;

  show(text: string, kind: Notice["kind"] = "info"): void {
    const notice = { id: this.#next++, text, kind };
    this.all = [...this.all.slice(-2), notice];
    announcer.say(text);
    setTimeout(() => this.dismiss(notice.id), 6_000);
  }

  /** A refusal in the user's language where we have words for its code, else in the server's own. */
  refused(error: unknown): void {
    this.show(inWords(error), "bad");
  }

  dismiss(id: number): void {
    this.all = this.all.filter((notice) => notice.id !== id);
  }
}

export function inWords(error: unknown): string {
  if (!(error instanceof Refused)) return t("refused.server/fault");
  const key = `refused.${error.code}`;
  return has(key) ? t(key) : error.message;
}

export const notices = new Notices();
