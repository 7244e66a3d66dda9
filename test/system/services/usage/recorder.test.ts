import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Principal } from "../../../../src/catalog/principal.ts";
import type { RunResult } from "../../../../src/catalog/run.ts";
import { StoreError } from "../../../../src/storage/errors.ts";
import { createMemoryUsage } from "../../../../src/storage/usage/memory-usage.ts";
import { hourMs, noCounts, type UsageBatch } from "../../../../src/storage/usage/usage-store.ts";
import { createUsageRecorder } from "../../../../src/services/usage/recorder.ts";
import { testRuntime } from "../../../support/runtime.ts";

const start = Date.parse("2026-11-21T12:00:00.000Z");
const keyed: Principal = { kind: "key", account: "ci", plan: "pro", keyId: "key_1" };
const anonymous: Principal = { kind: "anonymous", ip: "192.0.2.7" };

const run = (principal: Principal, slug: string, changes: Partial<RunResult> = {}): RunResult => ({
  slug,
  principal,
  outcome: "ok",
  duration: 2,
  inputBytes: 10,
  outputBytes: 20,
  isolated: false,
  ...changes,
});

/** A recorder over a store that the test can stop, on a clock that the test moves. */
function createTest(options: { capacity?: number } = {}) {
  const store = createMemoryUsage();
  const added: UsageBatch[] = [];
  const errors: StoreError[] = [];
  const gate = { open: true };
  const recorder = createUsageRecorder({
    open: async () => ({
      ...store,
      async add(batch) {
        if (!gate.open) throw new StoreError("write", "It is shut.");
        added.push(batch);
        await store.add(batch);
      },
    }),
    runtime: testRuntime({ now: Date.now, random: (size) => new Uint8Array(size).fill(7) }),
    onError: (error) => void errors.push(error),
    ...options,
  });
  return { recorder, added, errors, gate };
}

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  return () => vi.useRealTimers();
});

test("separates accounts, keys, tools and outcomes", async () => {
  const { recorder, added } = createTest();
  recorder.run(run(keyed, "uuid"));
  recorder.run(run(keyed, "uuid", { outcome: "invalid_document", duration: 0.25, outputBytes: 0 }));
  recorder.run(run(keyed, "uuid", { outcome: "memory_exceeded" }));
  for (const outcome of ["deadline_exceeded", "overloaded", "internal", "cancelled"] as const)
    recorder.run(run(keyed, "hash", { outcome }));
  recorder.run(run({ ...keyed, keyId: "key_2" }, "uuid"));
  recorder.run(run({ kind: "session", account: "ci" }, "uuid"));
  recorder.run(run(anonymous, "uuid"));
  recorder.run(run({ ...anonymous, ip: "192.0.2.8" }, "uuid"));
  recorder.limited(keyed, 3);
  recorder.limited(anonymous, 1);
  await recorder.flush();
  const counts = (changes: object) => ({ ...noCounts(), ...changes });
  expect(added).toHaveLength(1);
  expect(added[0]).toMatchObject({ hour: start });
  expect(added[0]?.rows).toEqual([
    {
      account: "ci",
      key: "key_1",
      tool: "uuid",
      ...counts({ ok: 1, refused: 2, inputBytes: 30, outputBytes: 40, micros: 4250 }),
    },
    {
      account: "ci",
      key: "key_1",
      tool: "hash",
      ...counts({ failed: 4, inputBytes: 40, outputBytes: 80, micros: 8000 }),
    },
    { account: "ci", key: "key_1", tool: "-", ...counts({ limited: 3 }) },
    {
      account: "ci",
      key: "key_2",
      tool: "uuid",
      ...counts({ ok: 1, inputBytes: 10, outputBytes: 20, micros: 2000 }),
    },
    {
      account: "ci",
      key: "-",
      tool: "uuid",
      ...counts({ ok: 1, inputBytes: 10, outputBytes: 20, micros: 2000 }),
    },
    {
      account: "(free)",
      key: "-",
      tool: "uuid",
      ...counts({ ok: 2, inputBytes: 20, outputBytes: 40, micros: 4000 }),
    },
    { account: "(free)", key: "-", tool: "-", ...counts({ limited: 1 }) },
  ]);
  expect(JSON.stringify(added)).not.toContain("192.0.2");
});

test("counts the steps of a pipeline and not the pipeline itself", async () => {
  const { recorder, added } = createTest();
  recorder.run(run(keyed, "uuid"));
  recorder.run(run(keyed, "my-pipeline", { composed: true }));
  await recorder.flush();
  expect(added[0]?.rows.map(({ tool }) => tool)).toEqual(["uuid"]);
});

describe("flushes", () => {
  test("every ten seconds, and not at all without calls", async () => {
    const { recorder, added } = createTest();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(added).toEqual([]);
    recorder.run(run(keyed, "uuid"));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(added).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(added).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(added).toHaveLength(1);
    recorder.run(run(keyed, "uuid"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(added.map(({ rows }) => rows[0]?.ok)).toEqual([1, 1]);
    expect(new Set(added.map(({ id }) => id)).size).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("at the end of an hour, so that no batch spans two", async () => {
    const { recorder, added } = createTest();
    vi.setSystemTime(start + hourMs - 3_000);
    recorder.run(run(keyed, "uuid"));
    await vi.advanceTimersByTimeAsync(3_000);
    recorder.run(run(keyed, "uuid"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(added.map(({ hour }) => hour)).toEqual([start, start + hourMs]);
  });

  test("on close, once, with nothing left to wait for", async () => {
    const { recorder, added } = createTest();
    recorder.run(run(keyed, "uuid"));
    await recorder.close();
    expect(added).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("calls during a flush go into the next batch", async () => {
    const { recorder, added } = createTest();
    recorder.run(run(keyed, "uuid"));
    const first = recorder.flush();
    recorder.run(run(keyed, "uuid"));
    await Promise.all([first, recorder.flush()]);
    expect(added.reduce((sum, { rows }) => sum + (rows[0]?.ok ?? 0), 0)).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("while the store cannot be written", () => {
  test("nothing is lost: the same batch is retried, and later calls accumulate", async () => {
    const { recorder, added, errors, gate } = createTest();
    gate.open = false;
    for (let n = 0; n < 30; n++) {
      recorder.run(run(keyed, "uuid"));
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(errors.length).toBeGreaterThan(20);
    gate.open = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(added).toHaveLength(2);
    expect(added.map(({ rows }) => rows[0]?.ok)).toEqual([1, 29]);
  });

  test("each hour is kept separately, and after a day the oldest is reported lost", async () => {
    const { recorder, added, errors, gate } = createTest();
    gate.open = false;
    for (let n = 0; n < 30; n++) {
      recorder.run(run(keyed, "uuid"));
      await vi.advanceTimersByTimeAsync(hourMs);
    }
    gate.open = true;
    await recorder.close();
    expect(added.length).toBeLessThanOrEqual(25);
    expect(added.at(-1)?.hour).toBe(start + 29 * hourMs);
    const lost = errors.filter(({ reason }) => reason.includes("is lost"));
    expect(lost.length + added.length).toBe(30);
  });

  test("closing does not wait for it", async () => {
    const { recorder, errors, gate } = createTest();
    gate.open = false;
    recorder.run(run(keyed, "uuid"));
    await recorder.close();
    expect(errors).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("counting calls nothing of the store and allocates one entry for each key and tool, however many calls come", async () => {
  let opened = 0;
  const batches: UsageBatch[] = [];
  const recorder = createUsageRecorder({
    async open() {
      opened += 1;
      return { ...createMemoryUsage(), add: async (batch) => void batches.push(batch) };
    },
    runtime: testRuntime({ now: Date.now, random: (size) => new Uint8Array(size) }),
    onError: () => expect.unreachable(),
  });
  for (let n = 0; n < 20_000; n++) {
    recorder.run(run({ ...keyed, keyId: `key_${n % 200}` }, `tool-${n % 2}`));
    recorder.limited(keyed, 1);
  }
  await Promise.resolve();
  expect(opened).toBe(0);
  // One timer for all, and one batch.
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect({ opened, batches: batches.length, rows: batches[0]?.rows.length }).toEqual({
    opened: 1,
    batches: 1,
    rows: 201,
  });
  expect(batches[0]?.rows.find(({ key, tool }) => key === "key_7" && tool === "tool-1")?.ok).toBe(100);
});

test("is bounded: beyond a number of callers and tools in one interval, the others share one row", async () => {
  const { recorder, added } = createTest({ capacity: 10 });
  for (let n = 0; n < 100; n++) recorder.run(run({ ...keyed, keyId: `key_${n}` }, "uuid"));
  // Callers seen before the limit was reached keep their rows.
  recorder.run(run({ ...keyed, keyId: "key_3" }, "uuid"));
  await recorder.flush();
  expect(added[0]?.rows).toHaveLength(11);
  expect(added[0]?.rows.at(-1)).toMatchObject({
    account: "(other)",
    key: "(other)",
    tool: "(other)",
    ok: 90,
  });
  expect(added[0]?.rows[3]).toMatchObject({ key: "key_3", ok: 2 });
  recorder.run(run({ ...keyed, keyId: "key_99" }, "uuid"));
  await recorder.flush();
  expect(added[1]?.rows).toMatchObject([{ key: "key_99", ok: 1 }]);
});
