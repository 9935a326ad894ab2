import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { settings } from "../settings.svelte";
import { Sound } from "./sound";
import { SOUNDS, type SoundName } from "./sounds";

class FakeParam {
  value = 0;
  setValueAtTime = vi.fn();
  exponentialRampToValueAtTime = vi.fn();
}

class FakeContext {
  static all: FakeContext[] = [];
  currentTime = 10;
  state = "running";
  sampleRate = 8_000;
  destination = {};
  started = 0;
  gains: { gain: FakeParam }[] = [];
  resume = vi.fn(async () => {
    this.state = "running";
  });
  constructor() {
    FakeContext.all.push(this);
  }
  #node() {
    return {
      gain: new FakeParam(),
      frequency: new FakeParam(),
      Q: new FakeParam(),
      type: "",
      buffer: null,
      connect: (other: unknown) => other,
      start: () => this.started++,
      stop: () => {},
    };
  }
  createGain() {
    const node = this.#node();
    this.gains.push(node);
    return node;
  }
  createOscillator = () => this.#node();
  createBufferSource = () => this.#node();
  createBiquadFilter = () => this.#node();
  createBuffer = (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) });
}

const gesture = () => dispatchEvent(new KeyboardEvent("keydown"));

// The page's own instance finds no WebAudio here, and gives up.
gesture();

beforeEach(() => {
  FakeContext.all = [];
  Object.assign(settings, { muted: false, volume: 0.5 });
  vi.stubGlobal("AudioContext", FakeContext);
});
afterEach(() => vi.unstubAllGlobals());

describe("sound", () => {
  it("makes no context before a gesture, and one after it", () => {
    const sound = new Sound();
    sound.play("bid");
    expect(FakeContext.all).toHaveLength(0);
    gesture();
    gesture();
    expect(FakeContext.all).toHaveLength(1);
  });

  it("plays every note of every sound", () => {
    const sound = new Sound();
    gesture();
    const context = FakeContext.all[0]!;
    for (const name of Object.keys(SOUNDS) as SoundName[]) {
      context.started = 0;
      sound.play(name);
      expect(context.started).toBe(SOUNDS[name].length);
    }
  });

  it("heeds volume and mute", () => {
    const sound = new Sound();
    gesture();
    const context = FakeContext.all[0]!;
    sound.play("turn");
    expect(context.gains[0]!.gain.value).toBe(0.25);
    context.started = 0;
    settings.muted = true;
    sound.play("win");
    settings.muted = false;
    settings.volume = 0;
    sound.play("win");
    expect(context.started).toBe(0);
  });

  it("does not play the same sound twice at once", () => {
    const sound = new Sound();
    gesture();
    const context = FakeContext.all[0]!;
    sound.play("chat");
    sound.play("chat");
    expect(context.started).toBe(1);
    context.currentTime += 1;
    sound.play("chat");
    expect(context.started).toBe(2);
  });

  it("wakes a context that sleeps", () => {
    const sound = new Sound();
    gesture();
    const context = FakeContext.all[0]!;
    context.state = "suspended";
    sound.play("bid");
    expect(context.resume).toHaveBeenCalled();
  });

  it("is silent where there is no WebAudio", () => {
    vi.stubGlobal("AudioContext", undefined);
    const sound = new Sound();
    gesture();
    expect(() => sound.play("bid")).not.toThrow();
  });
});

it("keeps each sound short", () => {
  for (const notes of Object.values(SOUNDS)) {
    for (const note of notes) expect((note.at ?? 0) + note.length).toBeLessThan(1.2);
  }
});
