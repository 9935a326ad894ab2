/** The amount that stands on the bid button: the least, unless its user has stepped or typed another. */

import { clamp, isWithin, typed, type Bounds } from "./terms";

export class Amount {
  #wish = $state<number | null>(null);
  #digits = $state("");
  #bounds: () => Bounds | null;

  constructor(bounds: () => Bounds | null) {
    this.#bounds = bounds;
  }

  get value(): number {
    const bounds = this.#bounds();
    if (bounds === null) return 0;
    if (this.#digits !== "") return Number(this.#digits);
    return this.#wish === null ? bounds.least : clamp(this.#wish, bounds);
  }

  /** Digits may be on their way to an amount that is allowed. */
  get isAllowed(): boolean {
    const bounds = this.#bounds();
    return bounds !== null && isWithin(this.value, bounds);
  }

  get isTyped(): boolean {
    return this.#digits !== "";
  }

  get isOwn(): boolean {
    return this.isTyped || this.#wish !== null;
  }

  step(by: number): void {
    const bounds = this.#bounds();
    if (bounds === null) return;
    this.#wish = clamp(this.value + by, bounds);
    this.#digits = "";
  }

  type(digit: string): void {
    const bounds = this.#bounds();
    if (bounds !== null) this.#digits = typed(this.#digits, digit, bounds);
  }

  /** Takes the last digit back. */
  untype(): void {
    this.#digits = this.#digits.slice(0, -1);
  }

  /** Back to the least; digits that were typed for another moment go in any case. */
  reset(keepWish = false): void {
    this.#digits = "";
    if (!keepWish) this.#wish = null;
  }
}
