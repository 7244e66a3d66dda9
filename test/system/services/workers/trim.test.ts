import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTrimming } from "../../../../src/services/workers/trim.ts";

const mebibyte = 1_048_576;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A process with live and free memory, in MiB. */
function open() {
  const memory = { live: 100, free: 0, trims: 0 };
  const stop = startTrimming({
    trim() {
      memory.free = 0;
      memory.trims++;
    },
    resident: () => (memory.live + memory.free) * mebibyte,
  });
  return { memory, stop };
}

test("returns free memory once the process has grown by 16 MiB", () => {
  const { memory, stop } = open();
  memory.free = 15;
  vi.advanceTimersByTime(60_000);
  expect(memory).toMatchObject({ free: 15, trims: 0 });
  memory.free = 16;
  vi.advanceTimersByTime(1000);
  expect(memory).toMatchObject({ free: 0, trims: 1 });
  vi.advanceTimersByTime(60_000);
  expect(memory.trims).toBe(1);
  stop();
});

test("returns memory that was in use before, at intervals that grow to 16 s", () => {
  const { memory, stop } = open();
  memory.live = 500;
  vi.advanceTimersByTime(3000);
  expect(memory.trims).toBe(2);
  vi.advanceTimersByTime(120_000);
  expect(memory.trims).toBeLessThan(15);
  memory.live = 490;
  memory.free = 10;
  vi.advanceTimersByTime(16_000);
  expect(memory.free).toBe(0);
  const before = memory.trims;
  memory.free = 16;
  vi.advanceTimersByTime(1000);
  expect(memory).toMatchObject({ free: 0, trims: before + 1 });
  stop();
});

test("ends with its server", () => {
  const { memory, stop } = open();
  stop();
  memory.free = 100;
  vi.advanceTimersByTime(60_000);
  expect(memory.trims).toBe(0);
});
