/** A replay as it is watched: where in it, through whose eyes, how fast. */

import { Refused } from "../net/api";
import { inWords } from "../notices.svelte";
import type { Replay } from "../protocol";
import { timeOf } from "../table/showing.svelte";
import { framesOf, letterOf, roundAfter, roundBefore, type Frame, type Place } from "./frames";

export const SPEEDS = [0.5, 1, 2, 4] as const;

/** How long a frame stays while the replay runs, in milliseconds at speed 1. */
const MOVE = 1300;

export class Watched {
  replay = $state.raw<Replay | null>(null);
  at = $state(0);
  playing = $state(false);
  speed = $state<number>(1);
  /** Why there is nothing to see. */
  error = $state.raw<Refused | null>(null);
  readonly frames: readonly Frame[] = $derived(
    this.replay === null ? [] : framesOf(this.replay.moments, this.replay.rules.seats),
  );
  readonly last = $derived(this.frames.length - 1);
  readonly frame = $derived(this.frames[this.at] ?? null);
  readonly isAtEnd = $derived(this.at >= this.last);
  /** By letter, or "open". */
  readonly #seen: Record<string, Replay> = {};
  #wanted: string | null = null;

  /** `fetch` gets the game as a seat saw it, by its letter, or open for null. */
  constructor(private readonly fetch: (seat: string | null) => Promise<Replay>) {}

  get seat(): number | null {
    return this.replay?.seat ?? null;
  }

  async open(place: Place): Promise<void> {
    await this.look(place.seat);
    // An address may name a seat that this game does not have.
    if (this.replay === null && place.seat !== null) await this.look(null);
    this.go(place.at);
  }

  /** Sees the game through other eyes, at the same place. */
  async look(seat: number | null): Promise<void> {
    const letter = letterOf(seat);
    this.#wanted = letter;
    try {
      const replay = (this.#seen[letter ?? "open"] ??= await this.fetch(letter));
      if (this.#wanted !== letter) return;
      this.replay = replay;
      this.error = null;
    } catch (error) {
      if (this.#wanted === letter) this.error = error instanceof Refused ? error : new Refused("server/fault", inWords(error));
    }
  }

  go(at: number): void {
    this.at = Math.max(0, Math.min(at, this.last));
    if (this.isAtEnd) this.playing = false;
  }

  step(by: number): void {
    this.playing = false;
    this.go(this.at + by);
  }

  round(direction: 1 | -1): void {
    this.playing = false;
    this.go(direction > 0 ? roundAfter(this.frames, this.at) : roundBefore(this.frames, this.at));
  }

  toggle(): void {
    if (!this.playing && this.isAtEnd) this.at = 0;
    this.playing = !this.playing;
  }

  faster(by: 1 | -1): void {
    const index = SPEEDS.findIndex((speed) => speed === this.speed);
    this.speed = SPEEDS[Math.max(0, Math.min(index + by, SPEEDS.length - 1))]!;
  }

  /** How long this frame stays. */
  get stay(): number {
    const result = this.frame?.result ?? null;
    return (result === null ? MOVE : timeOf(result)) / this.speed;
  }
}
