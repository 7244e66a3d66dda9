import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSeededRandom } from "../../../../src/lib/seeded-random.ts";
import { type BackoffOptions, delayBefore, spanOf } from "../../../../src/lib/webhook/schedule.ts";

const hour = 3_600_000;
const usual: BackoffOptions = { attempts: 12, firstDelayMs: 5000, factor: 3, maxDelayMs: 12 * hour };
const lowest = (size: number): Uint8Array => new Uint8Array(size);
const highest = (size: number): Uint8Array => new Uint8Array(size).fill(255);
const middle = (size: number): Uint8Array => new Uint8Array(size).fill(127, 0, 1).fill(255, 1);
const numbers = Array.from({ length: usual.attempts }, (_, index) => index + 1);

test("the default delays triple, up to twelve hours", () => {
  const seconds = numbers.map((attempt) => Math.round(delayBefore(attempt, usual, middle) / 1000));
  expect(seconds).toEqual([0, 5, 15, 45, 135, 405, 1215, 3645, 10_935, 32_805, 43_200, 43_200]);
});

test("jitter changes a delay by at most a fifth", () => {
  expect(delayBefore(2, usual, lowest)).toBe(4000);
  expect(delayBefore(2, usual, highest)).toBe(6000);
  // The limit applies to the delay before jitter.
  expect(delayBefore(12, usual, highest)).toBe(14.4 * hour);
  const random = createSeededRandom("jitter");
  const delays = Array.from({ length: 4000 }, () => delayBefore(2, usual, random));
  expect(Math.min(...delays)).toBeLessThan(4020);
  expect(Math.max(...delays)).toBeGreaterThan(5980);
  const mean = delays.reduce((sum, delay) => sum + delay) / delays.length;
  expect(Math.abs(mean - 5000)).toBeLessThan(50);
});

test("the default schedule lasts between 24 and 72 hours for any jitter", () => {
  const { shortestMs, longestMs } = spanOf(usual);
  expect(shortestMs / hour).toBeCloseTo(30.13, 2);
  expect(longestMs / hour).toBeCloseTo(45.2, 2);
});

test("every run is within the span, and jitter can reach both ends", () => {
  const options = fc.record({
    attempts: fc.integer({ min: 1, max: 40 }),
    firstDelayMs: fc.integer({ min: 1, max: 600_000 }),
    factor: fc.double({ min: 1, max: 1000, noNaN: true }),
    maxDelayMs: fc.integer({ min: 1000, max: 48 * hour }),
  });
  fc.assert(
    fc.property(options, fc.string(), (one, seed) => {
      const { shortestMs, longestMs } = spanOf(one);
      const sum = (random: (size: number) => Uint8Array): number => {
        let total = 0;
        for (let attempt = 1; attempt <= one.attempts; attempt++) total += delayBefore(attempt, one, random);
        return total;
      };
      // Each delay is rounded to a millisecond.
      const slack = one.attempts;
      const total = sum(createSeededRandom(seed));
      expect(total).toBeGreaterThanOrEqual(shortestMs - slack);
      expect(total).toBeLessThanOrEqual(longestMs + slack);
      expect(Math.abs(sum(lowest) - shortestMs)).toBeLessThanOrEqual(slack);
      expect(Math.abs(sum(highest) - longestMs)).toBeLessThanOrEqual(slack);
    }),
  );
});

test("a power that overflows gives the longest delay", () => {
  const steep = { ...usual, factor: 1e300 };
  expect(delayBefore(12, steep, highest)).toBe(14.4 * hour);
  expect(spanOf(steep).longestMs).toBeLessThan(Infinity);
});
