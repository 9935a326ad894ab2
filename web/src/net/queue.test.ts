import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Queue } from "./queue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function queue(stands: (thing: number) => number) {
  const taken: number[] = [];
  const made = new Queue<number>((thing) => {
    taken.push(thing);
    return stands(thing);
  });
  return { made, taken };
}

test("what stands for no time does not hold up the next", () => {
  const { made, taken } = queue(() => 0);
  made.push(1);
  made.push(2);
  expect(taken).toEqual([1, 2]);
});

test("each waits until the one before has stood", () => {
  const { made, taken } = queue(() => 400);
  made.push(1);
  made.push(2);
  expect(taken).toEqual([1]);
  vi.advanceTimersByTime(399);
  expect(taken).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(taken).toEqual([1, 2]);
});

test("who is far behind catches up faster", () => {
  const { made, taken } = queue(() => 400);
  for (let thing = 0; thing < 10; thing++) made.push(thing);
  vi.advanceTimersByTime(400);
  expect(taken).toEqual([0, 1]);
  vi.advanceTimersByTime(220);
  expect(taken).toEqual([0, 1, 2]);
});

test("hurrying lets all through, and only the last of it stands", () => {
  const { made, taken } = queue(() => 400);
  for (const thing of [1, 2, 3]) made.push(thing);
  made.hurry();
  made.push(4);
  expect(taken).toEqual([1, 2, 3]);
  vi.advanceTimersByTime(400);
  expect(taken).toEqual([1, 2, 3, 4]);
});

test("when nothing waits, hurrying lets the next come at once", () => {
  const { made, taken } = queue(() => 400);
  made.push(1);
  made.hurry();
  made.push(2);
  expect(taken).toEqual([1, 2]);
});
