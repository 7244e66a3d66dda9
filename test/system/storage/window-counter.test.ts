import { afterEach, describe, expect, test, vi } from "vitest";
import { createCounters } from "../../../src/storage/counters.ts";
import { createWindowCounter } from "../../../src/storage/window-counter.ts";
import { testRuntime } from "../../support/runtime.ts";

afterEach(() => void vi.useRealTimers());

test("memory is bounded: the oldest windows are dropped first, the youngest remain", async () => {
  const counter = createWindowCounter({
    seconds: 60,
    capacity: 1_000,
    runtime: testRuntime({ now: Date.now }),
  });
  for (let n = 0; n < 5_000; n++) await counter.consume(`ip:${n}`, 1);
  expect([...counter.ids()]).toHaveLength(1_000);
  expect(counter.seen("ip:3999")).toBeUndefined();
  expect(counter.seen("ip:4000")?.used).toBe(1);
  expect((await counter.consume("ip:4999", 1)).used).toBe(2);
  expect((await counter.consume("ip:0", 1)).used).toBe(1);
});

test("finished windows are dropped before a running one is", async () => {
  let time = 1_000;
  const counter = createWindowCounter({
    seconds: 60,
    capacity: 1_000,
    runtime: testRuntime({ now: () => time }),
  });
  for (let n = 0; n < 500; n++) await counter.consume(`ip:${n}`, 1);
  time += 60_000;
  await counter.consume("ip:new", 1);
  expect([...counter.ids()]).toEqual(["ip:new"]);
});

test("a window ends by the monotonic clock too, if the wall clock stands still", async () => {
  vi.useFakeTimers();
  const counter = createWindowCounter({
    seconds: 60,
    capacity: 10,
    runtime: testRuntime({ now: () => 5_000 }),
  });
  await counter.consume("a", 9);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await counter.consume("a", 1)).toEqual({ allowed: true, used: 1, resetAt: 65_000 });
  expect(counter.seen("a")?.used).toBe(1);
});

test("windows do not keep a process alive", async () => {
  const counter = createWindowCounter({ seconds: 60, capacity: 10, runtime: testRuntime({ now: Date.now }) });
  const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  await counter.consume("a", 1);
  counter.restore("b", { used: 1, resetAt: Date.now() + 30_000 });
  expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length).toBe(before);
});

describe("a clock that is set", () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;
  const id = "account:acme";

  function createTest() {
    const clock = { wall: Date.parse("2026-11-21T12:00:00.000Z"), steady: 5_000 };
    const counters = createCounters(
      testRuntime({ now: () => clock.wall, monotonic: () => clock.steady }),
      () => {},
    );
    const pass = (ms: number): void => {
      clock.wall += ms;
      clock.steady += ms;
    };
    return { clock, counters, pass };
  }

  test.each([
    ["a minute", minute],
    ["an hour", hour],
    ["a day", day],
  ])(
    "back by %s: a refused caller is refused for as long as promised, with the right Retry-After",
    async (_, back) => {
      const { clock, counters, pass } = createTest();
      await counters.consume(id, 100, 100);
      pass(20 * minute);
      clock.wall -= back;
      const left = 40 * minute;
      const refused = { allowed: false, used: 100, resetAt: clock.wall + left };
      expect(await counters.consume(id, 1, 100)).toEqual(refused);
      pass(left - 1);
      expect(await counters.consume(id, 1, 100)).toEqual(refused);
      pass(1);
      expect(await counters.consume(id, 1, 100)).toEqual({
        allowed: true,
        used: 1,
        resetAt: clock.wall + hour,
      });
    },
  );

  test("back again and again: each caller gets exactly one quota an hour", async () => {
    const { clock, counters, pass } = createTest();
    const hours: number[] = [];
    for (let n = 0; n < 4; n++) {
      let allowed = 0;
      for (let step = 0; step < 60; step++) {
        for (let call = 0; call < 5; call++) if ((await counters.consume(id, 1, 100)).allowed) allowed += 1;
        pass(minute);
        clock.wall -= 7 * minute;
      }
      hours.push(allowed);
    }
    expect(hours).toEqual([100, 100, 100, 100]);
  });

  test("forward by a day and back: one window more, and no wait longer than an hour", async () => {
    const { clock, counters, pass } = createTest();
    await counters.consume(id, 100, 100);
    pass(10 * minute);
    clock.wall += day;
    expect(await counters.consume(id, 100, 100)).toMatchObject({ allowed: true, used: 100 });
    pass(minute);
    clock.wall -= day;
    expect(await counters.consume(id, 1, 100)).toEqual({
      allowed: false,
      used: 100,
      resetAt: clock.wall + hour - minute,
    });
    pass(hour - minute);
    expect(await counters.consume(id, 1, 100)).toMatchObject({ allowed: true, used: 1 });
  });

  test("gradually (slewed) leaves reported times as they are", async () => {
    const { clock, counters, pass } = createTest();
    const { resetAt } = await counters.consume(id, 1, 100);
    for (let n = 0; n < 30; n++) {
      pass(minute);
      clock.wall -= 30;
      expect((await counters.consume(id, 1, 100)).resetAt).toBe(resetAt);
    }
  });

  test("back: finished windows are still dropped", async () => {
    const clock = { wall: 100 * hour, steady: 0 };
    const counter = createWindowCounter({
      seconds: 60,
      capacity: 1_000,
      runtime: testRuntime({ now: () => clock.wall, monotonic: () => clock.steady }),
    });
    for (let n = 0; n < 500; n++) await counter.consume(`ip:${n}`, 1);
    clock.wall -= day;
    clock.steady += minute;
    await counter.consume("ip:new", 1);
    expect([...counter.ids()]).toEqual(["ip:new"]);
  });
});
