/** The server's clock, read from the times that its messages carry. */

const IMPLAUSIBLE = 5_000; // milliseconds: no message takes so much longer than another; one of the clocks was set

export class ServerClock {
  /** The server's clock minus ours, in milliseconds. */
  #ahead: number | null = null;

  now(): number {
    return Date.now() + (this.#ahead ?? 0);
  }

  /**
   * A message says what time it was when it was sent. However long it took, the server's clock has gone on since: the
   * quickest message comes nearest to the truth, and a slow one must not set the countdowns back.
   */
  heard(time: number): void {
    const ahead = time - Date.now();
    if (this.#ahead === null || ahead > this.#ahead || ahead < this.#ahead - IMPLAUSIBLE) this.#ahead = ahead;
  }
}
