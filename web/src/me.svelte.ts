/** Who the server takes this browser for, and what can be chosen there: asked once, when first needed. */

import { api, whenForgotten } from "./net/api";
import type { Choices, EditionInfo, Me } from "./protocol";

class Known {
  me = $state.raw<Me | null>(null);
  choices = $state.raw<Choices | null>(null);
  #asked: Promise<void> | null = null;

  /** Makes us a guest of the server. May be called often; asks again only after a failure. */
  ready(): Promise<void> {
    this.#asked ??= this.#ask().catch((error: unknown) => {
      this.#asked = null;
      throw error;
    });
    return this.#asked;
  }

  edition(id: string): EditionInfo | undefined {
    return this.choices?.editions.find((edition) => edition.id === id);
  }

  async rename(name: string): Promise<void> {
    this.me = await api.rename(name);
  }

  /** Be here who we are on another device. */
  async redeem(secret: string): Promise<void> {
    this.me = await api.redeem(secret);
  }

  async signOutElsewhere(): Promise<void> {
    this.me = await api.signOutElsewhere();
  }

  async again(): Promise<void> {
    this.me = await api.me();
  }

  async #ask(): Promise<void> {
    [this.me, this.choices] = await Promise.all([api.me(), api.choices()]);
  }
}

export const known = new Known();
whenForgotten(() => known.again());
