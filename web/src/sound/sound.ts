/** The sounds of the table, made by the browser itself. Nothing is made or heard before the first gesture. */

import { isMuted } from "../panels/mutes.svelte";
import type { Happening } from "../protocol";
import { settings } from "../settings.svelte";
import { SOUNDS, type Note, type SoundName } from "./sounds";

export type { SoundName };

const GESTURES = ["pointerup", "click", "keydown"] as const;
/** The same sound twice within so many seconds is one: a catch-up does not rattle. */
const APART = 0.05;

export class Sound {
  #context: AudioContext | null = null;
  #air: AudioBuffer | null = null;
  readonly #last = new Map<SoundName, number>();

  constructor() {
    for (const gesture of GESTURES) globalThis.addEventListener?.(gesture, this.#wake, { capture: true });
  }

  play(name: SoundName): void {
    const context = this.#context;
    if (context === null || settings.muted || settings.volume === 0) return;
    const now = context.currentTime;
    if (now - (this.#last.get(name) ?? -APART) < APART) return;
    this.#last.set(name, now);
    if (context.state !== "running") void context.resume().catch(() => {});
    // Ears take the square for half as loud.
    const volume = this.#gain(context, settings.volume ** 2);
    volume.connect(context.destination);
    for (const note of SOUNDS[name]) this.#sound(note, context, volume, now);
  }

  // Browsers let a page sound only once its user has done something; some take the context back while it sleeps.
  readonly #wake = (): void => {
    this.#context ??= makeContext();
    if (this.#context?.state === "suspended") void this.#context.resume().catch(() => {});
    if (this.#context === null || this.#context.state === "running") {
      for (const gesture of GESTURES) removeEventListener(gesture, this.#wake, { capture: true });
    }
  };

  #sound(note: Note, context: AudioContext, volume: GainNode, now: number): void {
    const { at = 0, attack = 0.003, length, level, pitch, to } = note;
    const start = now + at;
    const end = start + length;
    const shape = this.#gain(context, 0);
    shape.gain.setValueAtTime(0.0001, start);
    shape.gain.exponentialRampToValueAtTime(level, start + attack);
    shape.gain.exponentialRampToValueAtTime(0.0001, end);
    shape.connect(volume);
    const source = note.wave === "air" ? this.#wind(context, shape) : this.#string(context, note.wave, shape);
    source.pitch.setValueAtTime(pitch, start);
    if (to !== undefined) source.pitch.exponentialRampToValueAtTime(to, end);
    source.node.start(start);
    source.node.stop(end);
  }

  #gain(context: AudioContext, value: number): GainNode {
    const gain = context.createGain();
    gain.gain.value = value;
    return gain;
  }

  #string(context: AudioContext, wave: OscillatorType, into: AudioNode): Source {
    const node = context.createOscillator();
    node.type = wave;
    node.connect(into);
    return { node, pitch: node.frequency };
  }

  #wind(context: AudioContext, into: AudioNode): Source {
    const node = context.createBufferSource();
    node.buffer = this.#air ??= noise(context);
    const band = context.createBiquadFilter();
    band.type = "bandpass";
    band.Q.value = 0.8;
    node.connect(band).connect(into);
    return { node, pitch: band.frequency };
  }
}

interface Source {
  readonly node: AudioScheduledSourceNode;
  readonly pitch: AudioParam;
}

function makeContext(): AudioContext | null {
  try {
    return new AudioContext();
  } catch {
    return null; // no sound here: a game is played as well without
  }
}

/** A quarter of a second of noise: longer than any rush of air here. */
function noise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  return buffer;
}

export const sound = new Sound();

/** What a happening sounds like to `you`; its most important part, if there are several. */
export function soundOf(happening: Happening, you: number | null): SoundName | null {
  const { what, events } = happening;
  if (what.kind === "said" || what.kind === "reacted") {
    const isOwn = what.seat !== null && what.seat === you;
    return isOwn || isMuted(what.name) ? null : "chat";
  }
  const has = (kind: string) => events.some((event) => event.kind === kind);
  for (const event of events) {
    // Winners and spectators hear the fanfare; to lose is bad enough without it.
    if (event.kind === "game-ended") return you === null || event.outcome.winners.includes(you) ? "win" : "reveal";
  }
  if (has("sale-resolved")) return "reveal";
  if (has("auction-won")) return "take";
  if (has("passed")) return "pass";
  if (has("bid-placed")) return "bid";
  if (has("house-chosen")) return "choose";
  return has("dealt") ? "deal" : null;
}
