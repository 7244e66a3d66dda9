import { afterEach, expect, test, vi } from "vitest";
import type { Call } from "../../../../src/catalog/execute.ts";
import { createQueue } from "../../../../src/services/workers/queue.ts";

const call: Call = {
  slug: "a",
  body: { kind: "raw", bytes: new Uint8Array(1), text: false, options: [] },
  form: "bytes",
  check: false,
};

afterEach(() => {
  vi.useRealTimers();
});

test.each([2000, 2 ** 31 - 1])("a call waits for %d ms, and is then refused", async (maxWaitMs) => {
  vi.useFakeTimers();
  const queue = createQueue({ maxJobs: 2, maxBytes: 2, maxWaitMs, isStarting: () => false });
  let refusal: unknown;
  queue.push(call, "thread").catch((error: unknown) => (refusal = error));
  await vi.advanceTimersByTimeAsync(maxWaitMs - 1);
  expect([queue.size, refusal]).toEqual([1, undefined]);
  await vi.advanceTimersByTimeAsync(1);
  expect(queue.size).toBe(0);
  expect(refusal).toMatchObject({
    code: "overloaded",
    message: `No worker was free for ${maxWaitMs} ms, the limit of waiting.`,
  });
});

test("a call is not refused while the first workers of its kind are starting", async () => {
  vi.useFakeTimers();
  let starting = true;
  const isStarting = (place: string): boolean => place === "process" && starting;
  const queue = createQueue({ maxJobs: 3, maxBytes: 3, maxWaitMs: 2000, isStarting });
  const refused: string[] = [];
  queue.push(call, "process").catch(() => refused.push("process"));
  queue.push(call, "thread").catch(() => refused.push("thread"));
  await vi.advanceTimersByTimeAsync(5000);
  expect(refused).toEqual(["thread"]);
  starting = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect([refused, queue.size, vi.getTimerCount()]).toEqual([["thread", "process"], 0, 0]);
});
