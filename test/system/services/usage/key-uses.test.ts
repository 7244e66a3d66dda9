import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createKeyUseRecorder } from "../../../../src/services/usage/key-uses.ts";
import { minuteMs } from "../../../../src/storage/key-uses.ts";
import { createMemoryKeyUses } from "../../../../src/storage/usage/memory-key-uses.ts";
import { testRuntime } from "../../../support/runtime.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const start = Date.parse("2026-11-23T12:00:20.000Z");
const minute = Date.parse("2026-11-23T12:00:00.000Z");

function createRecorder() {
  const store = createMemoryKeyUses();
  const writes: Record<string, number>[] = [];
  const errors: string[] = [];
  const clock = { now: start };
  const fault: { error?: Error } = {};
  const recorder = createKeyUseRecorder({
    open: async () => ({
      ...store,
      async put(uses) {
        if (fault.error) throw fault.error;
        writes.push(Object.fromEntries(uses));
        await store.put(uses);
      },
    }),
    runtime: testRuntime({ now: () => clock.now }),
    onError: ({ reason }) => void errors.push(reason),
  });
  return { recorder, writes, errors, clock, fault, store };
}

describe("the recorder of uses of keys", () => {
  test("writes all keys of a minute in one batch, and each at most once a minute", async () => {
    const { recorder, writes, clock } = createRecorder();
    for (let n = 0; n < 1000; n++) recorder.note(`key_${n % 3}`);
    expect(writes).toEqual([]);
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(writes).toEqual([{ key_0: minute, key_1: minute, key_2: minute }]);
    // The clock still shows the same minute.
    for (let n = 0; n < 1000; n++) recorder.note(`key_${n % 3}`);
    await recorder.flush();
    expect(writes).toHaveLength(1);
    clock.now += minuteMs;
    recorder.note("key_1");
    await recorder.flush();
    expect(writes.slice(1)).toEqual([{ key_1: minute + minuteMs }]);
  });

  test("an idle recorder has no timer and writes nothing", async () => {
    const { recorder, writes } = createRecorder();
    expect(vi.getTimerCount()).toBe(0);
    recorder.note("key_1");
    expect(vi.getTimerCount()).toBe(1);
    await recorder.close();
    expect(vi.getTimerCount()).toBe(0);
    await recorder.flush();
    expect(writes).toHaveLength(1);
  });

  test("repeats what a store refused, with newer uses in place of older ones", async () => {
    const { recorder, writes, errors, clock, fault, store } = createRecorder();
    fault.error = new Error("no answer");
    recorder.note("key_1");
    recorder.note("key_2");
    await recorder.flush();
    expect(errors).toEqual([expect.stringContaining("no answer")]);
    clock.now += minuteMs;
    recorder.note("key_1");
    delete fault.error;
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(writes).toEqual([{ key_1: minute + minuteMs, key_2: minute }]);
    expect((await store.read()).last).toEqual(new Map(Object.entries(writes[0] ?? {})));
  });

  test("a use noted during a write is written by a concurrent flush", async () => {
    const { recorder, writes } = createRecorder();
    recorder.note("key_1");
    const first = recorder.flush();
    recorder.note("key_2");
    await Promise.all([first, recorder.flush(), recorder.flush()]);
    expect(writes).toEqual([{ key_1: minute }, { key_2: minute }]);
  });
});
