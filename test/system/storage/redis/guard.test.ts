import { expect, onTestFinished, test, vi } from "vitest";
import { StoreError } from "../../../../src/storage/errors.ts";
import { createGuard, type GuardOptions } from "../../../../src/storage/redis/guard.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** A guard on a clock that the test moves; `busy` simulates an event loop that is never idle. */
function open(options: Partial<GuardOptions> = {}) {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"],
  });
  onTestFinished(() => void vi.useRealTimers());
  const changes: [boolean, string | undefined][] = [];
  const state = { connected: true, answers: false, busy: false, probes: 0 };
  const guard = createGuard({
    disconnected: () => (state.connected ? undefined : new Error("it is gone")),
    explain: (operation, cause) => new StoreError(operation, String((cause as Error).message), cause),
    async probe() {
      state.probes += 1;
      if (!state.answers) await new Promise(() => {});
    },
    runtime: testRuntime({ monotonic: () => performance.now() }),
    idle: () => (state.busy ? 0 : performance.now()),
    onChange: (up, reason) => void changes.push([up, reason?.reason]),
    ...options,
  });
  onTestFinished(() => guard.close());
  /** The outcome of a call within this many milliseconds, and its time. */
  const outcome = async (work: () => Promise<unknown>, waitMs = 70, within = 1000): Promise<string> => {
    const began = performance.now();
    let result = "pending";
    guard.run("read", waitMs, work).then(
      (value) => (result = `${String(value)} after ${performance.now() - began}`),
      (error: Error) => (result = `${error.message} after ${performance.now() - began}`),
    );
    await vi.advanceTimersByTimeAsync(within);
    return result;
  };
  return { guard, state, changes, outcome };
}

const never = () => new Promise<never>(() => {});
const later = (ms: number) => () => new Promise((resolve) => setTimeout(() => resolve("an answer"), ms));

test("returns the answer, and waits no longer than its time limit", async () => {
  const { outcome, guard } = open();
  expect(await outcome(later(50))).toBe("an answer after 50");
  expect(await outcome(never)).toMatch(/^no answer in time after 7[01]$/);
  expect(guard.up).toBe(true);
});

test("on a machine too busy to read it, an answer is late only after 350 ms of wall time", async () => {
  const { outcome, state } = open();
  state.busy = true;
  expect(await outcome(later(300))).toBe("an answer after 300");
  expect(await outcome(never)).toMatch(/^no answer in time after 35\d$/);
});

test("an operator's time limit is longer than the wall time limit", async () => {
  const { outcome } = open();
  expect(await outcome(later(1500), 2000, 1600)).toBe("an answer after 1500");
});

test("is down after three failures in a row, and then fails at once without sending anything", async () => {
  const { guard, outcome, changes } = open();
  await outcome(never);
  await outcome(never);
  await outcome(later(5));
  await outcome(never, 70, 72);
  await outcome(never, 70, 72);
  expect(guard.up).toBe(true);
  await outcome(never, 70, 72);
  expect(guard.up).toBe(false);
  expect(changes).toEqual([[false, "no answer in time"]]);
  const work = vi.fn<() => Promise<never>>(never);
  expect(await outcome(work, 70, 0)).toBe("no answer in time after 0");
  expect(work).not.toHaveBeenCalled();
});

test("probes the server four times a second with a command that counts nothing", async () => {
  const { guard, state, outcome, changes } = open();
  for (let n = 0; n < 3; n++) await outcome(never, 70, 72);
  await vi.advanceTimersByTimeAsync(1000);
  expect(state.probes).toBeGreaterThanOrEqual(2);
  expect(state.probes).toBeLessThanOrEqual(4);
  expect(guard.up).toBe(false);
  state.answers = true;
  await vi.advanceTimersByTimeAsync(400);
  expect(guard.up).toBe(true);
  expect(changes.at(-1)).toEqual([true, undefined]);
  expect(await outcome(later(5))).toBe("an answer after 5");
  // No probe remains.
  const { probes } = state;
  await vi.advanceTimersByTimeAsync(2000);
  expect(state.probes).toBe(probes);
});

test("stays in recovery until other nodes must have noticed too", async () => {
  const { guard, state, outcome } = open();
  expect(guard.settling).toBe(false);
  for (let n = 0; n < 3; n++) await outcome(never, 70, 72);
  expect(guard.settling).toBe(true);
  state.answers = true;
  await vi.advanceTimersByTimeAsync(400);
  expect([guard.up, guard.settling]).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(1500);
  expect(guard.settling).toBe(false);
});

test("without a connection it fails at once and says why", async () => {
  const { guard, state, outcome } = open();
  state.connected = false;
  const work = vi.fn<() => Promise<unknown>>(later(5));
  expect(await outcome(work, 70, 0)).toBe("it is gone after 0");
  expect(work).not.toHaveBeenCalled();
  await outcome(work, 70, 0);
  await outcome(work, 70, 0);
  expect(guard.up).toBe(false);
});

test("an error reply is an answer, unless it means that the server is not ready", async () => {
  const { guard, outcome } = open();
  const reply = (message: string) => async () => {
    throw Object.assign(new Error(message), { name: "ReplyError" });
  };
  for (let n = 0; n < 5; n++) await outcome(reply("OOM command not allowed"));
  expect(guard.up).toBe(true);
  for (let n = 0; n < 3; n++) await outcome(reply("LOADING Redis is loading the dataset"), 70, 0);
  expect(guard.up).toBe(false);
});

test("work that throws before it sends counts as a failure", async () => {
  const { outcome } = open();
  const broken = () => {
    throw new Error("Connection is closed.");
  };
  expect(await outcome(broken)).toBe("Connection is closed. after 0");
});

test("reports an answer that came too late, and no other", async () => {
  const { guard } = open();
  const late: unknown[] = [];
  const run = (ms: number) =>
    guard.run("count", 70, later(ms), (value) => void late.push([ms, value])).catch(() => undefined);
  void run(50);
  void run(120);
  await vi.advanceTimersByTimeAsync(100);
  expect(late).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(late).toEqual([[120, "an answer"]]);
});
