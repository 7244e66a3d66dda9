import { expect, test } from "vitest";
import { createTurnClock } from "../../../src/lib/turn-clock.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function openClock() {
  const clocks = { wall: 1_000, steady: 10, readings: 0 };
  const clock = createTurnClock({
    now: () => (clocks.readings++, clocks.wall),
    monotonic: () => (clocks.readings++, clocks.steady),
  });
  return { clock, clocks };
}

test("both clocks stand still within a turn, however often they are read", () => {
  const { clock, clocks } = openClock();
  expect([clock.monotonic(), clock.now()]).toEqual([10, 1_000]);
  clocks.steady = 500;
  clocks.wall = 2_000;
  for (let count = 0; count < 20; count++) expect([clock.monotonic(), clock.now()]).toEqual([10, 1_000]);
  expect(clocks.readings).toBe(2);
});

test("a new turn reads both again", async () => {
  const { clock, clocks } = openClock();
  clock.now();
  clocks.steady = 11;
  clocks.wall = 1_001;
  await turn();
  expect([clock.now(), clock.monotonic()]).toEqual([1_001, 11]);
});

test("a reading is exact and sets the clocks for the rest of the turn", () => {
  const { clock, clocks } = openClock();
  expect([clock.monotonic(), clock.now()]).toEqual([10, 1_000]);
  clocks.steady = 10.5;
  clocks.wall = 1_000.5;
  expect(clock.read()).toBe(10.5);
  expect(clock.monotonic()).toBe(10.5);
  expect(clock.now(), "within a millisecond").toBe(1_000);
  clocks.steady = 80;
  clocks.wall = 1_070;
  expect(clock.read()).toBe(80);
  expect(clock.now(), "after long work").toBe(1_070);
});

test("schedules nothing for a clock that is not read", async () => {
  const { clock, clocks } = openClock();
  clock.read();
  await turn();
  await turn();
  expect(clocks.readings).toBe(1);
});
