import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/catalog/errors.ts";
import type { Answer, Call } from "../../../../src/catalog/execute.ts";
import type { Isolation } from "../../../../src/catalog/tool.ts";
import { sandboxOptions, sandboxWord } from "../../../../src/lib/sandbox.ts";
import type { CrewEvent } from "../../../../src/services/workers/crew.ts";
import { autoSize } from "../../../../src/services/workers/limits.ts";
import { createPool, type Pool, type PoolOptions } from "../../../../src/services/workers/pool.ts";
import type { ProcessCommand } from "../../../../src/services/workers/process-link.ts";
import { repeats } from "../../../support/cases.ts";
import { workerCommand } from "../../../support/worker-command.ts";
import { workerSource } from "../../../support/worker-source.ts";
import { testRuntime } from "../../../support/runtime.ts";

const { poll } = expect;

const pools: Pool[] = [];
const events: CrewEvent[] = [];

interface OpenOptions extends Partial<PoolOptions> {
  /** Replaces the worker: text or a file of JavaScript. */
  code?: string | URL;
}

const worker = workerSource();
/** Does what the slug says, which no real tool does: `stub.ts` as one file, because about a hundred workers are started with it. */
let stub: URL;
beforeAll(async () => {
  const bundle = await rolldown({
    tsconfig: false,
    input: new URL("stub.ts", import.meta.url).pathname,
    platform: "node",
  });
  const folder = mkdtempSync(join(tmpdir(), "penknife-stub-"));
  const file = join(folder, "stub.mjs");
  await bundle.write({ file, codeSplitting: false });
  await bundle.close();
  stub = pathToFileURL(file);
  return () => rmSync(folder, { recursive: true });
});
let place: Isolation = "thread";
const kinds = ["thread", "process"] as const;
/** Costs nothing to start. */
const noProcess: ProcessCommand = { command: "/nonexistent/penknife", args: [], env: {} };

/** A pool that runs everything in the kind of worker under test. */
function openPool({ code, ...options }: OpenOptions = {}) {
  events.length = 0;
  const memoryMb = options.memoryMb ?? 128;
  const pool = createPool({
    source: code ?? worker,
    process:
      place === "thread"
        ? noProcess
        : code === undefined
          ? workerCommand(memoryMb)
          : toCommand(code, memoryMb),
    size: 2,
    // A loaded machine takes a minute to fill a heap: a test that is about the deadline has its own.
    deadlineMs: 110_000,
    memoryMb,
    runtime: testRuntime({ monotonic: () => performance.now() }),
    onEvent({ place: at, ...event }) {
      if (at === place) events.push(event);
    },
    ...options,
  });
  pools.push(pool);
  return {
    start: pool.start,
    close: pool.close,
    run: (call: Call, signal?: AbortSignal, group?: string) => pool.run(call, place, signal, group),
    stats: () => {
      const { threads, processes, ...rest } = pool.stats();
      return { ...rest, ...(place === "thread" ? threads : processes) };
    },
  };
}

function toCommand(code: string | URL, memoryMb: number): ProcessCommand {
  const args = typeof code === "string" ? ["-e", code] : [code.pathname, sandboxWord];
  const readable = typeof code === "string" ? [] : [`--allow-fs-read=${code.pathname}`];
  return { command: process.execPath, args: [...sandboxOptions(memoryMb), ...readable, ...args], env: {} };
}

/** A pool whose two workers have run: on a busy machine, starting one takes longer than a short deadline. */
async function openFullPool(options: OpenOptions = {}): Promise<ReturnType<typeof openPool>> {
  const pool = openPool(options);
  const short = options.code === undefined ? small("a") : act("sleep");
  await poll(async () => {
    await Promise.all([codeOf(pool.run(short)), codeOf(pool.run(short))]);
    return pool.stats().idle;
  }).toBe(2);
  return pool;
}

async function openWarmPool(options: OpenOptions = {}): Promise<ReturnType<typeof openPool>> {
  const pool = openPool(options);
  pool.start();
  await poll(() => pool.stats().idle).toBeGreaterThan(0);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  await poll(countThreads).toBeLessThanOrEqual(before);
});

/** All threads of this process, including those of V8 and libuv. */
const countThreads = (): number => (process.platform === "linux" ? readdirSync("/proc/self/task").length : 0);
let before = 0;
beforeAll(async () => {
  // What Node starts once, with the first worker, is not a leak.
  const pool = openPool({ code: stub });
  await pool.run(act("sleep"));
  await pool.close();
  before = countThreads();
});

const json = (slug: string, input: Record<string, unknown>): Call => ({
  slug,
  body: { kind: "json", bytes: new TextEncoder().encode(JSON.stringify(input)) },
  form: "json",
  check: false,
});

const resultOf = ({ body }: Answer): string =>
  (JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString()) as { result: string }).result;

const evil = (): Call =>
  json("regex-tester", { data: `${"a".repeat(64)}b`, pattern: "^(a|a)*$", engine: "js" });
const small = (text: string): Call => json("base64-encoder", { data: text });

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "answered",
    (error: unknown) => (error instanceof ToolError ? error.code : `bug: ${String(error)}`),
  );

const act = (slug: string): Call => ({
  slug,
  body: { kind: "input", input: {} },
  form: "text",
  check: false,
});

/** Queued bytes for the stub: a tool that is loaded by its first call may take longer than a short deadline. */
const withBytes = (text: string): Call => ({ ...small(text), slug: "sleep" });

describe.each(kinds)("workers of the kind %s", (tested) => {
  beforeAll(() => void (place = tested));

  describe("calls", () => {
    test("no thread is started before the first call, and one is enough for it", async () => {
      const pool = openPool();
      expect(pool.stats()).toMatchObject({ starting: 0, idle: 0, busy: 0 });
      expect(resultOf(await pool.run(small("a")))).toBe("YQ==");
      expect(pool.stats()).toMatchObject({ starting: 0, idle: 1, busy: 0, queued: 0 });
    });

    test("a mix of 200 calls: each gets its own answer or refusal, from no more threads than allowed", async () => {
      const pool = openPool({ maxQueue: 200, maxWaitMs: 110_000 });
      const refused = json("json-formatter", { data: "[1,]" });
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          index % 4 === 0
            ? codeOf(
                pool.run(index % 8 === 0 ? structuredClone(refused) : json("json-formatter", { dta: "" })),
              )
            : pool.run(small(`call ${index}`)).then(resultOf),
        ).map((result, index) => result.then((text) => [index, text] as const)),
      );
      for (const [index, text] of results) {
        if (index % 8 === 0) expect(text).toBe("invalid_document");
        else if (index % 4 === 0) expect(text).toBe("unknown_field");
        else expect(text).toBe(Buffer.from(`call ${index}`).toString("base64"));
      }
      expect(events.filter(({ kind }) => kind === "started").length).toBeLessThanOrEqual(2);
    });

    test("5 MB of bytes arrive as the tool returns them, and the body is transferred without a copy", async () => {
      const pool = openPool();
      const bytes = new Uint8Array(5_000_000).map((_, index) => (index * 7919) >> 3);
      const encoded = new TextEncoder().encode(Buffer.from(bytes).toString("base64"));
      const { body } = await pool.run({
        slug: "base64-decoder",
        body: { kind: "raw", bytes: encoded, text: false, options: [] },
        form: "bytes",
        check: false,
      });
      // A pipe copies; a thread must not.
      expect(encoded.buffer.detached).toBe(tested === "thread");
      expect(Buffer.compare(Buffer.from(body as Uint8Array), bytes)).toBe(0);
    });

    test("a body that is a view into a larger buffer is copied, and the rest of the buffer stays usable", async () => {
      const pool = openPool();
      const shared = Buffer.from("neighbour|hello|neighbour");
      const call: Call = {
        slug: "base64-encoder",
        body: { kind: "raw", bytes: shared.subarray(10, 15), text: true, options: [] },
        form: "text",
        check: false,
      };
      expect(Buffer.from((await pool.run(call)).body as Uint8Array).toString()).toBe("aGVsbG8=");
      expect(shared.toString()).toBe("neighbour|hello|neighbour");
    });

    test("check mode and refusals keep all their details across the boundary", async () => {
      const pool = openPool();
      const call = { ...json("json-validator", { data: "[1,]" }), check: true };
      expect(await pool.run(call)).toMatchObject({ valid: false });
      await expect(pool.run(json("json-formatter", { data: '{"a":\n tru}' }))).rejects.toMatchObject({
        code: "invalid_document",
        details: { errors: [{ line: 2, column: 2, pointer: "/a" }] },
      });
    });

    test("a worker sees none of the environment variables", async () => {
      process.env["PENKNIFE_TEST_SECRET"] = "swordfish";
      const pool = openPool({ code: stub });
      expect((await pool.run(act("env"))).body).toBe("{}");
      delete process.env["PENKNIFE_TEST_SECRET"];
    });
  });

  describe("limits", () => {
    test("a call that never ends is ended at the deadline, while other calls are answered", async () => {
      const pool = await openFullPool({ code: stub, deadlineMs: 3000 });
      const started = performance.now();
      // The second one answers before the first has to end.
      let ended = false;
      const stuck = pool.run(act("stall")).finally(() => (ended = true));
      stuck.catch(() => {});
      const others = await Promise.all(Array.from({ length: 3 }, () => codeOf(pool.run(act("sleep")))));
      expect(others).toEqual(["answered", "answered", "answered"]);
      expect(ended).toBe(false);
      await expect(stuck).rejects.toMatchObject({ code: "deadline_exceeded", details: { limit: 3000 } });
      await expect(stuck).rejects.toThrow("3000 ms");
      expect(performance.now() - started).toBeLessThan(60_000);
      await poll(() => pool.stats()).toMatchObject({ idle: 1, busy: 0 });
    });

    test("if all threads are stuck, each is replaced, and the next call is answered", async () => {
      const pool = await openFullPool({ code: stub, deadlineMs: 800 });
      expect(await Promise.all([act("hang"), act("stall")].map((call) => codeOf(pool.run(call))))).toEqual([
        "deadline_exceeded",
        "deadline_exceeded",
      ]);
      await poll(() => codeOf(pool.run(act("sleep")))).toBe("answered");
      expect(events.filter((event) => event.kind === "ended")).toMatchObject([
        { reason: "deadline" },
        { reason: "deadline" },
      ]);
    });

    test("a full heap ends only the call", async () => {
      const pool = openPool({ code: stub, memoryMb: 32 });
      expect(await codeOf(pool.run(act("heap")))).toBe("memory_exceeded");
      expect((await pool.run(act("sleep"))).body).toBe("slept");
    });

    test("a text larger than V8 can allocate ends the call and not the process", async () => {
      const pool = openPool({ code: stub, memoryMb: 32 });
      expect(await codeOf(pool.run(act("text")))).toBe("memory_exceeded");
      expect((await pool.run(act("sleep"))).body).toBe("slept");
    });

    test("a document that expands in memory costs one thread, never the process", async () => {
      const pool = openPool({ memoryMb: 24 });
      const bytes = Buffer.from(`[${'{"b":[],"a":{}},'.repeat(300_000)}0]`);
      const options: [string, string][] = [["sortKeys", "true"]];
      const code = await codeOf(
        pool.run({
          slug: "json-formatter",
          body: { kind: "raw", bytes, text: true, options },
          form: "bytes",
          check: false,
        }),
      );
      expect(["answered", "memory_exceeded"]).toContain(code);
      expect(resultOf(await pool.run(small("a")))).toBe("YQ==");
    });

    const expanding = [
      ["objects", "[", "{},", "{}]"],
      ["nesting", "[", "[[[[[[[[[]]]]]]]]],", "1]"],
      ["long keys", "[", '{"aaaaaaaaaaaaaaaaaaaaaaaaaaaa":1},', "1]"],
    ] as const;
    test.each(expanding)(
      "a body that expands in memory (%s) costs one thread, never the process",
      async (_, start, middle, end) => {
        const pool = openPool({ memoryMb: 32 });
        const data = `{"data":${start}${middle.repeat(10_000_000 / middle.length)}${end}}`;
        const call: Call = {
          slug: "json-formatter",
          body: { kind: "json", bytes: Buffer.from(data) },
          form: "json",
          check: false,
        };
        const started = performance.now();
        expect(await codeOf(pool.run(call))).toBe("invalid_input");
        expect(performance.now() - started).toBeLessThan(60_000);
        expect(resultOf(await pool.run(small("a")))).toBe("YQ==");
      },
    );
  });

  describe("callers who disconnect", () => {
    test("a long call is ended soon after, long before its deadline", async () => {
      const pool = await openWarmPool({ size: 1 });
      const caller = new AbortController();
      const stuck = pool.run(evil(), caller.signal).catch((error: unknown) => error);
      await poll(() => pool.stats().busy).toBe(1);
      caller.abort();
      expect(await stuck).toBe(caller.signal.reason);
      expect(resultOf(await pool.run(small("a")))).toBe("YQ==");
      expect(events).toContainEqual({ kind: "ended", reason: "abandoned" });
    });
  });

  describe("faults", () => {
    test.each(["exit", "throw", "buffer", "reject"])(
      "a worker that dies (%s) fails only its own call, as a bug",
      async (slug) => {
        const pool = openPool({ code: stub });
        expect(await codeOf(pool.run(act(slug)))).toMatch(/^bug: Error: A worker ended/);
        expect((await pool.run(act("sleep"))).body).toBe("slept");
      },
    );

    test.each([
      ["throws", "throw new Error('bad build')"],
      ["is no script", "this is no script"],
      ["goes away", "process.exit(0)"],
      ["is not there", new URL("file:///nonexistent/worker.js")],
      ["cannot be tried", new URL("http://localhost/worker.js")],
    ])("code that %s at start-up: calls are refused, and restarts become rare", async (_, code) => {
      const pool = openPool({ code });
      expect(await codeOf(pool.run(small("a")))).toBe("overloaded");
      pool.start();
      const failures = () => events.filter((event) => event.kind === "failed_to_start");
      await poll(() => failures().length).toBeGreaterThan(1);
      const failed = failures();
      expect(failed.length).toBeLessThan(6);
      expect(failed.map(({ retryMs }) => retryMs)).toEqual(failed.map((_event, index) => 100 * 2 ** index));
    });

    test("an unknown tool is refused and does not end the thread", async () => {
      const pool = openPool();
      expect(await codeOf(pool.run(json("no-such-tool", {})))).toBe("unknown_tool");
      expect(pool.stats().idle).toBe(1);
    });
  });

  describe("start and close", () => {
    test("close ends calls that do not end in time", async () => {
      const pool = openPool({ code: stub, size: 1 });
      const codes = [codeOf(pool.run(act("hang"))), codeOf(pool.run(act("hang")))];
      await poll(() => pool.stats().busy).toBe(1);
      await pool.close(50);
      expect(await Promise.all(codes)).toEqual(["overloaded", "overloaded"]);
    });
  });
});

test("there are at least two threads, and a core is left for the event loop", () => {
  expect([1, 2, 3, 4, 16].map(autoSize)).toEqual([2, 2, 2, 3, 15]);
});

describe.each(kinds)("queue and crew of workers of the kind %s", (tested) => {
  beforeAll(() => void (place = tested));

  describe("callers with many calls", () => {
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

    test("20 calls that never end do not delay other callers, before or after their threads are killed", async () => {
      const pool = await openFullPool({ code: stub, deadlineMs: 2000 });
      let ended = 0;
      const greedy = Array.from({ length: 20 }, () =>
        codeOf(pool.run(act("stall"), undefined, "greedy")).finally(() => ended++),
      );
      await poll(() => pool.stats()).toMatchObject({ busy: 1, idle: 1 });
      let waits = 0;
      for (let index = 0; index < 25; index++) {
        const endedBefore = ended;
        expect((await pool.run(act("sleep"), undefined, "modest")).body).toBe("slept");
        if (ended > endedBefore) waits++;
        await pause(100);
      }
      // A call that waits for a thread waits until a greedy one ends; occasionally one ends by chance meanwhile.
      expect(waits).toBeLessThan(10);
      const codes = new Set(await Promise.all(greedy));
      expect(codes).toEqual(new Set(["deadline_exceeded", "overloaded"]));
    });

    test("a caller who disconnects occupies the thread until the work has ended", async () => {
      const pool = await openWarmPool({ code: stub });
      const caller = new AbortController();
      const left = codeOf(pool.run(act("stall"), caller.signal, "greedy"));
      const next = pool.run(act("sleep"), undefined, "greedy");
      caller.abort();
      await left;
      expect(pool.stats()).toMatchObject({ busy: 1, queued: 1 });
      expect((await next).body).toBe("slept");
    });

    test("a group that lost a thread is served by its replacement, even without a spare", async () => {
      const pool = openPool({ code: stub, deadlineMs: 2000, maxWaitMs: 110_000 });
      const killed = codeOf(pool.run(act("stall"), undefined, "greedy"));
      await pool.run(act("sleep"), undefined, "modest");
      expect(await killed).toBe("deadline_exceeded");
      expect((await pool.run(act("sleep"), undefined, "greedy")).body).toBe("slept");
    });
  });

  test("a call that was aborted before it was made never runs", async () => {
    const pool = openPool();
    await expect(pool.run(small("a"), AbortSignal.abort("gone"))).rejects.toBe("gone");
    expect(pool.stats().starting).toBe(0);
  });

  test("a burst of short calls that are aborted kills no thread", async () => {
    const pool = openPool({ code: stub, maxQueue: 1000 });
    pool.start();
    await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const caller = new AbortController();
        const answer = pool.run(act("sleep"), caller.signal);
        setTimeout(() => caller.abort(), index % 20);
        await answer.catch(() => {});
      }),
    );
    expect((await pool.run(act("sleep"))).body).toBe("slept");
    expect(events.filter(({ kind }) => kind === "started").length).toBeLessThanOrEqual(2);
    expect(events.filter(({ kind }) => kind === "ended")).toEqual([]);
  });

  test("start warms up one worker, and keeps a spare beside the busy ones", async () => {
    const pool = openPool({ code: stub });
    const started = (): number => events.filter(({ kind: event }) => event === "started").length;
    pool.start();
    await poll(started).toBe(1);
    expect(pool.stats()).toMatchObject({ starting: 0, idle: 1, busy: 0 });
    const answer = codeOf(pool.run(act("stall")));
    await poll(started).toBe(2);
    expect(pool.stats()).toMatchObject({ starting: 0, idle: 1, busy: 1 });
    await pool.close();
    expect(await answer).toBe("overloaded");
  });

  test("after a burst of calls, all idle workers but the spare end", async () => {
    const pool = openPool({ code: stub, size: 2, idleMs: 50 });
    pool.start();
    await Promise.all([pool.run(act("sleep")), pool.run(act("sleep"))]);
    // The second worker may become ready when the first has done both calls.
    await poll(() => events).toContainEqual(expect.objectContaining({ kind: "ended", reason: "closed" }));
    expect(pool.stats()).toMatchObject({ starting: 0, idle: 1, busy: 0 });
    expect(events.filter(({ kind }) => kind === "failed_to_start")).toEqual([]);
    // The spare stays, and serves the next call.
    expect((await pool.run(act("sleep"))).body).toBe("slept");
    await pool.close();
  });

  test("close waits for running and queued calls that end in time, and accepts no more", async () => {
    const pool = openPool({ code: stub, size: 1 });
    const answers = [pool.run(act("sleep")), pool.run(act("sleep"))];
    const closed = pool.close(60_000);
    expect(await codeOf(pool.run(act("sleep")))).toBe("overloaded");
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(["slept", "slept"]);
    await closed;
    expect(pool.stats()).toMatchObject({ starting: 0, idle: 0, busy: 0 });
  });

  test("a full queue refuses at once, and says when to retry", async () => {
    const pool = await openWarmPool({ code: stub, size: 1, maxQueue: 2, deadlineMs: 20_000 });
    const caller = new AbortController();
    const stuck = codeOf(pool.run(act("stall"), caller.signal));
    await poll(() => pool.stats().busy).toBe(1);
    const waiting = [codeOf(pool.run(act("sleep"))), codeOf(pool.run(act("sleep")))];
    await expect(pool.run(act("sleep"))).rejects.toMatchObject({
      code: "overloaded",
      details: { retryAfter: 20 },
    });
    caller.abort();
    await stuck;
    expect(await Promise.all(waiting)).toEqual(["answered", "answered"]);
  });

  test("queued bytes are limited too, but one body is always accepted", async () => {
    const pool = await openWarmPool({ code: stub, size: 1, maxQueueBytes: 1000, deadlineMs: 1000 });
    const stuck = codeOf(pool.run(act("stall")));
    await poll(() => pool.stats().busy).toBe(1);
    const waiting = codeOf(pool.run(withBytes("a".repeat(5000))));
    expect(await codeOf(pool.run(withBytes("b")))).toBe("overloaded");
    expect(pool.stats().queuedBytes).toBeGreaterThan(5000);
    await Promise.all([stuck, waiting]);
    expect(pool.stats().queuedBytes).toBe(0);
  });

  test("text that is not yet encoded counts with its length, such as the document of a pipeline step", async () => {
    const pool = await openWarmPool({ code: stub, size: 1, maxQueueBytes: 1000, deadlineMs: 1000 });
    const stuck = codeOf(pool.run(act("stall")));
    await poll(() => pool.stats().busy).toBe(1);
    const body = { kind: "input", input: { data: "a".repeat(900) } } as const;
    const step = (): Call => ({ slug: "sleep", body, form: "text", check: false });
    const waiting = codeOf(pool.run(step()));
    expect(await codeOf(pool.run(step()))).toBe("overloaded");
    expect(pool.stats().queuedBytes).toBe(900);
    await Promise.all([stuck, waiting]);
  });

  test("a call waits no longer than the limit of waiting", async () => {
    const pool = await openWarmPool({ code: stub, size: 1, deadlineMs: 120_000, maxWaitMs: 500 });
    const caller = new AbortController();
    const stuck = codeOf(pool.run(act("stall"), caller.signal));
    await poll(() => pool.stats().busy).toBe(1);
    const codes = await Promise.all(Array.from({ length: 3 }, () => codeOf(pool.run(act("sleep")))));
    expect(codes).toEqual(["overloaded", "overloaded", "overloaded"]);
    caller.abort();
    await stuck;
  });

  test("groups take turns, and each is served in order", async () => {
    const pool = await openWarmPool({ code: stub, size: 1 });
    const order: string[] = [];
    const send = (name: string, group: string): Promise<unknown> =>
      pool.run(act("sleep"), undefined, group).then(() => order.push(name));
    await Promise.all([
      ...["a1", "a2", "a3", "a4"].map((name) => send(name, "a")),
      ...["b1", "b2"].map((name) => send(name, "b")),
      send("c1", "c"),
    ]);
    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  test("one group has at most half of the queue, the others have the rest", async () => {
    const pool = await openWarmPool({ code: stub, size: 1, maxQueue: 4, deadlineMs: 5000 });
    const send = (group: string): Promise<string> => codeOf(pool.run(act("sleep"), undefined, group));
    const greedy = [send("a"), send("a"), send("a")];
    await expect(pool.run(act("sleep"), undefined, "a")).rejects.toMatchObject({
      code: "overloaded",
      details: { retryAfter: 5 },
    });
    const others = [send("b"), send("c")];
    expect(await send("d")).toBe("overloaded");
    expect(new Set(await Promise.all([...greedy, ...others]))).toEqual(new Set(["answered"]));
    expect(await send("a")).toBe("answered");
  });

  test("one group has at most half of the bytes", async () => {
    const pool = await openWarmPool({ code: stub, size: 1, maxQueueBytes: 2000 });
    const caller = new AbortController();
    const stuck = codeOf(pool.run(act("stall"), caller.signal, "a"));
    const send = (group: string): Promise<string> =>
      codeOf(pool.run(withBytes("a".repeat(600)), undefined, group));
    const waiting = [send("a")];
    expect(await send("a")).toBe("overloaded");
    waiting.push(send("b"));
    expect(pool.stats().queued).toBe(2);
    caller.abort();
    await stuck;
    expect(await Promise.all(waiting)).toEqual(["answered", "answered"]);
    expect(pool.stats().queuedBytes).toBe(0);
  });

  test("a waiting call is removed from the queue", async () => {
    const pool = await openWarmPool({ code: stub, size: 1, deadlineMs: 1000 });
    const stuck = codeOf(pool.run(act("stall")));
    await poll(() => pool.stats().busy).toBe(1);
    const caller = new AbortController();
    const waiting = pool.run(act("sleep"), caller.signal);
    caller.abort();
    await expect(waiting).rejects.toBe(caller.signal.reason);
    expect(pool.stats()).toMatchObject({ queued: 0, queuedBytes: 0 });
    await stuck;
  });
});

describe("processes that abort", () => {
  beforeAll(() => void (place = "process"));

  test("many in a row leak no process and no open file, and each call is refused individually", async () => {
    const aborts = repeats(100);
    const openFiles = (): number => (process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0);
    const pool = await openWarmPool({ code: stub });
    const filesBefore = openFiles();
    for (let round = 0; round < aborts; round++) {
      expect(await codeOf(pool.run(act("abort")))).toBe("memory_exceeded");
      const { starting, idle, busy } = pool.stats();
      expect(starting + idle + busy).toBeLessThanOrEqual(2);
    }
    expect((await pool.run(act("sleep"))).body).toBe("slept");
    expect(events.filter((event) => event.kind === "ended" && event.reason === "abort")).toHaveLength(aborts);
    expect(events.filter(({ kind }) => kind === "failed_to_start")).toEqual([]);
    // Two workers have four pipes each; a second may have been started since.
    await poll(openFiles).toBeLessThanOrEqual(filesBefore + 4);
  }, 300_000);

  test("a call that was sent behind one whose process aborts is answered by the next process", async () => {
    const pool = await openWarmPool({ code: stub, size: 1 });
    const calls = [act("abort"), act("sleep"), act("abort"), act("sleep")];
    const codes = calls.map((call) => codeOf(pool.run(call, undefined, "one")));
    expect(await Promise.all(codes)).toEqual(["memory_exceeded", "answered", "memory_exceeded", "answered"]);
  });

  test("if none can be started, the call is refused and not run on a thread", async () => {
    const pool = createPool({
      source: worker,
      process: noProcess,
      size: 2,
      deadlineMs: 60_000,
      memoryMb: 128,
      runtime: testRuntime({ monotonic: () => performance.now() }),
    });
    pools.push(pool);
    await expect(pool.run(small("a"), "process")).rejects.toMatchObject({
      code: "overloaded",
      details: { retryAfter: 5 },
    });
    expect(pool.stats().threads).toEqual({ starting: 0, idle: 0, busy: 0 });
    expect(resultOf(await pool.run(small("a"), "thread"))).toBe("YQ==");
  });
});
