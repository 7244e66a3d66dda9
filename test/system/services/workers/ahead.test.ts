import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Answer, Call } from "../../../../src/catalog/execute.ts";
import type { RemoteMessage } from "../../../../src/catalog/remote.ts";
import type { WorkerEnd } from "../../../../src/services/workers/limits.ts";
import type { LinkEvents } from "../../../../src/services/workers/link.ts";
import { createQueue, type Job, type Queue } from "../../../../src/services/workers/queue.ts";
import { createRounds } from "../../../../src/services/workers/rounds.ts";
import { createWorker, type Worker } from "../../../../src/services/workers/worker.ts";
import { testRuntime } from "../../../support/runtime.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const call = (slug: string, bytes = 1): Call => ({
  slug,
  body: { kind: "raw", bytes: new Uint8Array(bytes), text: false, options: [] },
  form: "bytes",
  check: false,
});

/** A worker whose link only records, with the queue that it takes calls from. */
function open({ deadlineMs = 5000 } = {}) {
  const runtime = testRuntime({ now: Date.now });
  const queue = createQueue({ maxJobs: 9, maxBytes: 1e6, maxWaitMs: 60_000, isStarting: () => false });
  const rounds = createRounds(runtime, () => {});
  const sent: string[] = [];
  const ends: WorkerEnd[] = [];
  let events: LinkEvents | undefined;
  const worker: Worker = createWorker({
    open(given) {
      events = given;
      return {
        takesAhead: true,
        send: ({ slug }) => void sent.push(slug),
        tidy: () => void sent.push("tidy"),
        look: () => void sent.push("look"),
        kill() {},
      };
    },
    rounds,
    runtime,
    deadlineMs,
    memoryMb: 64,
    onReady() {},
    onIdle() {},
    onBegin: queue.begin,
    onEnd: (reason) => void ends.push(reason),
    onGone() {},
  });
  const say = (message: RemoteMessage): void => events?.onMessage(message);
  say({ kind: "ready" });
  const answer = (body: string): void => say({ kind: "answer", answer: { body } });
  return { worker, queue, sent, ends, answer };
}

const outcomeOf = (promise: Promise<Answer>): Promise<unknown> =>
  promise.then(
    ({ body }) => body,
    (error: { code?: string }) => error.code ?? error,
  );

/** Queues a call and sends it behind the running one. */
function sendBehind({ queue, worker }: { queue: Queue; worker: Worker }, given = call("second")) {
  const caller = new AbortController();
  const outcome = outcomeOf(queue.push(given, "process", caller.signal, "acme"));
  const job = queue.nextFor("acme") as Job;
  worker.sendAhead(job);
  return { outcome, job, caller };
}

describe("a call that is sent behind a running one", () => {
  test("waits in the queue until that one is answered, and then runs without being sent again", async () => {
    const one = open();
    const first = outcomeOf(one.worker.run(call("first"), undefined, "acme"));
    const { outcome } = sendBehind(one);
    expect([one.sent, one.queue.size, one.worker.takesAhead]).toEqual([["first", "second"], 1, false]);
    one.answer("1");
    expect([one.worker.state, one.queue.size, one.worker.takesAhead]).toEqual(["busy", 0, true]);
    one.answer("2");
    expect([await first, await outcome, one.worker.state]).toEqual(["1", "2", "idle"]);
    expect(one.sent).toEqual(["first", "second"]);
  });

  test("has the whole deadline for itself", async () => {
    const one = open({ deadlineMs: 1000 });
    const first = outcomeOf(one.worker.run(call("first"), undefined, "acme"));
    const { outcome } = sendBehind(one);
    await vi.advanceTimersByTimeAsync(900);
    one.answer("1");
    await vi.advanceTimersByTimeAsync(900);
    expect([await first, one.ends]).toEqual(["1", []]);
    await vi.advanceTimersByTimeAsync(200);
    expect([await outcome, one.ends]).toEqual(["deadline_exceeded", ["deadline"]]);
  });

  test("is in its place in the queue for another worker when its own one ends", async () => {
    const one = open({ deadlineMs: 1000 });
    const first = outcomeOf(one.worker.run(call("first"), undefined, "acme"));
    const { outcome, job } = sendBehind(one);
    void one.queue.push(call("third"), "process", undefined, "acme");
    await vi.advanceTimersByTimeAsync(1100);
    expect([await first, one.queue.size, job.sentTo]).toEqual(["deadline_exceeded", 2, undefined]);
    expect(one.queue.shift(() => true)).toBe(job);
    const other = open();
    job.resolve(other.worker.run(job.call, job.signal, job.group));
    other.answer("2");
    expect(await outcome).toBe("2");
  });

  test("is dropped when its caller leaves, and the answer reaches nobody else", async () => {
    const one = open();
    const first = outcomeOf(one.worker.run(call("first"), undefined, "acme"));
    const { outcome, caller } = sendBehind(one);
    caller.abort("left");
    expect([await outcome, one.queue.size]).toEqual(["left", 0]);
    one.answer("1");
    expect([await first, one.worker.state]).toEqual(["1", "busy"]);
    const third = sendBehind(one, call("third"));
    one.answer("2");
    one.answer("3");
    expect([await third.outcome, one.worker.state, one.ends]).toEqual(["3", "idle", []]);
  });

  test("ends its worker soon if nobody waits for it and it does not end by itself", async () => {
    const one = open();
    void one.worker.run(call("first"), undefined, "acme");
    const { outcome, caller } = sendBehind(one);
    caller.abort("left");
    await outcome;
    one.answer("1");
    await vi.advanceTimersByTimeAsync(249);
    expect(one.ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(one.ends).toEqual(["abandoned"]);
  });
});

describe("the queue", () => {
  const ignore = (promise: Promise<Answer>): void => void promise.catch(() => {});

  test("gives a busy process the next small call of its own group, while no other group waits", () => {
    const { queue } = open();
    ignore(queue.push(call("a1"), "process", undefined, "a"));
    expect(queue.nextFor("b")).toBeUndefined();
    expect(queue.nextFor("a")?.call.slug).toBe("a1");
    ignore(queue.push(call("b1"), "process", undefined, "b"));
    expect([queue.nextFor("a"), queue.nextFor("b")]).toEqual([undefined, undefined]);
  });

  test("gives it neither a large call nor one for a thread", () => {
    const { queue } = open();
    ignore(queue.push(call("thread"), "thread", undefined, "a"));
    expect(queue.nextFor("a")).toBeUndefined();
    ignore(queue.push(call("large", 20_000), "process", undefined, "a"));
    expect(queue.nextFor("a")).toBeUndefined();
  });
});

describe("rounds", () => {
  test("one timer looks at all calls, whatever their number, and ends when there are none", async () => {
    const runtime = testRuntime({ now: Date.now });
    const seen: string[] = [];
    const rounds = createRounds(runtime, () => void seen.push("round"));
    const looks = ["a", "b"].map((name) => () => void seen.push(name));
    for (let n = 0; n < 100; n++) {
      for (const look of looks) rounds.add(look);
      for (const look of looks) rounds.remove(look);
    }
    for (const look of looks) rounds.add(look);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(25);
    expect(seen).toEqual(["a", "b", "round"]);
    for (const look of looks) rounds.remove(look);
    await vi.advanceTimersByTimeAsync(25);
    expect([vi.getTimerCount(), seen.length]).toEqual([0, 3]);
  });

  test("a worker makes no timer for a call, and one for all calls of a second when it is idle", async () => {
    const one = open();
    const first = one.worker.run(call("first"), undefined, "acme");
    const before = vi.getTimerCount();
    for (let n = 0; n < 50; n++) {
      one.answer("1");
      void one.worker.run(call("more"), undefined, "acme");
    }
    expect((await first).body).toBe("1");
    expect(vi.getTimerCount()).toBe(before + 1);
    one.answer("1");
    await vi.advanceTimersByTimeAsync(1000);
    expect(one.sent.filter((what) => what === "tidy")).toEqual(["tidy"]);
  });
});
