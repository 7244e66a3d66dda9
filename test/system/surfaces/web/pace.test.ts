import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPace, type Pace } from "../../../../src/surfaces/web/page/pace.ts";

const hourMs = 3_600_000;
let isPresent = true;
let readings = 0;
let pace: Pace;

/** A page whose server answers within 50 ms. */
function openPage(isAnswered: () => boolean = () => true): void {
  readings = 0;
  isPresent = true;
  const read = (): void => {
    readings += 1;
    pace.began();
    setTimeout(() => pace.ended(!isAnswered()), 50);
  };
  pace = createPace({ read, isPresent: () => isPresent });
  read();
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("reads once a minute while the user is present", () => {
  openPage();
  vi.advanceTimersByTime(hourMs);
  expect(readings).toBe(60);
});

test("reads at most 250 times an hour, however much changes", () => {
  openPage();
  for (let changes = 0; changes < hourMs / 20; changes++) {
    pace.changed();
    vi.advanceTimersByTime(20);
  }
  expect(readings).toBeGreaterThan(200);
  expect(readings).toBeLessThanOrEqual(250);
});

test("reads a change at once after a quiet time, and one during a reading after it", () => {
  openPage();
  vi.advanceTimersByTime(20_000);
  pace.changed();
  vi.advanceTimersByTime(10);
  expect(readings).toBe(2);
  pace.changed();
  vi.advanceTimersByTime(900);
  expect(readings).toBe(2);
  vi.advanceTimersByTime(200);
  expect(readings).toBe(3);
});

test("reads nothing while nobody is there, so that the session can end, and at once on the return", () => {
  openPage();
  isPresent = false;
  for (let minutes = 0; minutes < 30; minutes++) {
    pace.changed();
    vi.advanceTimersByTime(60_000);
  }
  expect(readings).toBe(1);
  isPresent = true;
  pace.returned();
  vi.advanceTimersByTime(10);
  expect(readings).toBe(2);
});

test("tries a failed reading again on the return as well", () => {
  let isAnswered = false;
  openPage(() => isAnswered);
  vi.advanceTimersByTime(1000);
  isPresent = false;
  vi.advanceTimersByTime(20_000);
  [isPresent, isAnswered] = [true, true];
  pace.returned();
  vi.advanceTimersByTime(1000);
  expect(readings).toBe(2);
  vi.advanceTimersByTime(58_000);
  expect(readings).toBe(2);
});

test("never reads again after a stop", () => {
  openPage();
  pace.stop();
  pace.changed();
  pace.returned();
  vi.advanceTimersByTime(hourMs);
  expect(readings).toBe(1);
});
