import { setFlagsFromString } from "node:v8";
import { setImmediate as nextTurn } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createMutex } from "../../../src/lib/mutex.ts";

test("runs tasks one at a time, in the order of the calls, and returns their results", async () => {
  const inTurn = createMutex();
  const steps: string[] = [];
  const task = (name: string, turns: number) => async () => {
    steps.push(`${name} begins`);
    for (let i = 0; i < turns; i++) await nextTurn();
    steps.push(`${name} ends`);
    return name;
  };
  const results = [inTurn(task("a", 3)), inTurn(task("b", 0)), inTurn(task("c", 1))];
  expect(await Promise.all(results)).toEqual(["a", "b", "c"]);
  expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("accepts a task that is not asynchronous, and one added by a task", async () => {
  const inTurn = createMutex();
  const steps: number[] = [];
  let inner: Promise<number> | undefined;
  await inTurn(() => {
    inner = inTurn(() => steps.push(2));
    steps.push(1);
  });
  expect(await inner).toBe(2);
  expect(steps).toEqual([1, 2]);
});

test("a task that rejects or throws does not stop the next one", async () => {
  const inTurn = createMutex();
  const rejected = inTurn(async () => {
    throw new Error("rejected");
  });
  const thrown = inTurn(() => {
    throw new Error("thrown");
  });
  const next = inTurn(() => "runs");
  await expect(rejected).rejects.toThrow("rejected");
  await expect(thrown).rejects.toThrow("thrown");
  expect(await next).toBe("runs");
});

test("a rejection that no caller waits for is not unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    const inTurn = createMutex();
    void inTurn(async () => {
      throw new Error("not awaited");
    });
    await inTurn(() => undefined);
    // Node reports unhandled rejections after the microtasks of a turn.
    await nextTurn();
    await nextTurn();
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});

test.each([
  ["result", () => ({ large: true })],
  [
    "error",
    () => {
      throw new Error("failed");
    },
  ],
])("keeps no %s of a task that has ended", async (_, task) => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const inTurn = createMutex();
  const kept: WeakRef<object>[] = [];
  const keep = (value: object) => void kept.push(new WeakRef(value));
  for (let i = 0; i < 100; i++) await inTurn(task).then(keep, keep);
  // A WeakRef keeps its target until the end of the turn that made it.
  await nextTurn();
  collect();
  expect(kept.filter((value) => value.deref() !== undefined)).toEqual([]);
  // Used after the collection, so that the mutex itself was alive during it.
  expect(await inTurn(() => "alive")).toBe("alive");
});
