import { afterEach, expect, test, vi } from "vitest";
import { createWindowCounter } from "../../../src/services/storage/window-counter.ts";

afterEach(() => void vi.useRealTimers());

test("memory is bounded: the oldest window goes first, the youngest stay", async () => {
  const counter = createWindowCounter({ seconds: 60, capacity: 1_000, now: Date.now });
  for (let n = 0; n < 5_000; n++) await counter.consume(`ip:${n}`, 1);
  expect([...counter.ids()]).toHaveLength(1_000);
  expect(counter.seen("ip:3999")).toBeUndefined();
  expect(counter.seen("ip:4000")?.used).toBe(1);
  expect((await counter.consume("ip:4999", 1)).used).toBe(2);
  expect((await counter.consume("ip:0", 1)).used).toBe(1);
});

test("windows that are over make room before anybody's window is cut short", async () => {
  let time = 1_000;
  const counter = createWindowCounter({ seconds: 60, capacity: 1_000, now: () => time });
  for (let n = 0; n < 500; n++) await counter.consume(`ip:${n}`, 1);
  time += 60_000;
  await counter.consume("ip:new", 1);
  expect([...counter.ids()]).toEqual(["ip:new"]);
});

test("a window ends by the monotonic clock too, when the wall clock stands still", async () => {
  vi.useFakeTimers();
  const counter = createWindowCounter({ seconds: 60, capacity: 10, now: () => 5_000 });
  await counter.consume("a", 9);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await counter.consume("a", 1)).toEqual({ used: 1, resetAt: 65_000 });
  expect(counter.seen("a")?.used).toBe(1);
});

test("windows do not keep a process alive", async () => {
  const counter = createWindowCounter({ seconds: 60, capacity: 10, now: Date.now });
  const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  await counter.consume("a", 1);
  counter.restore("b", { used: 1, resetAt: Date.now() + 30_000 });
  expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length).toBe(before);
});
