/**
 * Lets things through one after the other, each for its time: bots answer within a millisecond, and nobody could
 * follow. Who is far behind catches up faster, and `hurry` lets all through at once.
 */

const FAR_BEHIND = 4;
const FASTER = 0.55;

export class Queue<Thing> {
  #waiting: Thing[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `take` is given each thing in order, and says how many milliseconds it stands before the next comes. */
  constructor(private readonly take: (thing: Thing) => number) {}

  push(thing: Thing): void {
    this.#waiting.push(thing);
    if (this.#timer === undefined) this.#next();
  }

  /** Everything that waits, now. Only the last of it stands for its time. */
  hurry(): void {
    this.clear();
    let stands = 0;
    for (const thing of this.#waiting.splice(0)) stands = this.take(thing);
    this.#rest(stands);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    this.#timer = undefined;
    for (let thing = this.#waiting.shift(); thing !== undefined; thing = this.#waiting.shift()) {
      const stands = this.take(thing) * (this.#waiting.length > FAR_BEHIND ? FASTER : 1);
      if (this.#rest(stands)) return;
    }
  }

  #rest(stands: number): boolean {
    if (stands > 0) this.#timer = setTimeout(() => this.#next(), stands);
    return stands > 0;
  }
}
