import type { Answer, Call } from "../../catalog/execute.ts";
import { type RemoteMessage, toAnswer } from "../../catalog/remote.ts";
import type { Runtime } from "../../runtime.ts";
import type { Link, OpenLink } from "./link.ts";
import { type Limits, refuse, type WorkerEnd } from "./limits.ts";
import type { Job } from "./queue.ts";
import { roundMs, type Rounds } from "./rounds.ts";

/** One worker, a thread or a process. It runs one call at a time. */
export interface Worker {
  readonly state: "starting" | "idle" | "busy" | "ended";
  /** The group that it works for. It stays set after the caller has gone away, until the work has ended. */
  readonly group: string | undefined;
  /** Whether it is busy and can take the call that it runs next. */
  readonly takesAhead: boolean;
  /** Milliseconds for which it has run its call. */
  ranMs(): number;
  /** Takes a call; only while idle. */
  run(call: Call, signal?: AbortSignal, group?: string): Promise<Answer>;
  /**
   * Sends a waiting call that it runs after the present one; only while `takesAhead`. The call stays in the queue until it
   * begins, and loses nothing if the worker ends before. @throws if the call cannot be sent; the worker has not received it.
   */
  sendAhead(job: Job): void;
  /** Ends the worker at once, whatever it does; resolves when it is gone. */
  end(): Promise<void>;
}

export interface WorkerOptions extends Limits {
  open: OpenLink;
  rounds: Rounds;
  runtime: Pick<Runtime, "monotonic">;
  onReady(): void;
  /** Called after a call, when it can take the next. */
  onIdle(): void;
  /** Removes a call that was sent ahead from the queue, because it begins. Returns false if it no longer waits. */
  onBegin(job: Job): boolean;
  /** Called when the end is decided; the worker may live for a few milliseconds more, until `onGone`. */
  onEnd(reason: WorkerEnd, state: Worker["state"], error?: unknown): void;
  onGone(): void;
}

/** Milliseconds for a worker to become ready. */
const startMs = 30_000;

/**
 * Milliseconds that abandoned work may still run. Most calls end by themselves within this time, and a caller
 * that connects and hangs up in a loop holds a worker for that long each time, so that the cost of new workers stays a
 * fraction of the time they serve.
 */
const abandonMs = 250;

/** Idle milliseconds after which a worker frees the memory left by its calls. */
const quietMs = 1000;

/** @throws if the machine has no resources for a worker. */
export function createWorker(options: WorkerOptions): Worker {
  const { rounds, runtime } = options;
  let state: Worker["state"] = "starting";
  let current: Current | undefined;
  let ahead: Job | undefined;
  let group: string | undefined;
  /** When the call began, or when the worker became idle. */
  let since = 0;
  let tidyTimer: NodeJS.Timeout | undefined;
  const gone = Promise.withResolvers<void>();
  const link: Link = options.open({
    onMessage(message) {
      if (state === "starting" && message.kind === "ready") {
        clearTimeout(startTimer);
        state = "idle";
        options.onReady();
      } else if (state === "busy" && message.kind !== "ready") answered(message);
    },
    onAbove() {
      if (state === "busy") void end("memory");
    },
    onFailed: (reason, error) => void end(reason, error),
    onGone() {
      gone.resolve();
      options.onGone();
    },
  });
  const startTimer = setTimeout(() => end("crash", new Error("A worker did not start")), startMs).unref();

  function run(call: Call, signal?: AbortSignal, forGroup?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      link.send(call);
      rounds.add(look);
      begin({ resolve, reject, signal, group: forGroup });
    });
  }

  function begin({ resolve, reject, signal, group: forGroup }: Omit<Job, "call" | "place" | "sentTo">): void {
    state = "busy";
    group = forGroup;
    since = runtime.monotonic();
    let patience: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      reject(signal?.reason);
      patience = setTimeout(() => end("abandoned"), abandonMs);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    const release = (): void => {
      clearTimeout(patience);
      signal?.removeEventListener("abort", onAbort);
    };
    current = { resolve, reject, release };
  }

  /** Begins the call that was sent ahead, which the worker does by itself. Nobody waits for one that has left the queue. */
  function beginAhead(job: Job): void {
    ahead = undefined;
    if (options.onBegin(job)) return begin(job);
    const leaving = new AbortController();
    begin({ resolve: ignore, reject: ignore, signal: leaving.signal, group: job.group });
    leaving.abort();
  }

  function answered(message: Exclude<RemoteMessage, { kind: "ready" }>): void {
    const finished = current as Current;
    if (ahead === undefined) {
      state = "idle";
      current = undefined;
      since = runtime.monotonic();
      rounds.remove(look);
      tidyTimer ??= setTimeout(tidy, quietMs).unref();
    } else beginAhead(ahead);
    settle(finished, () => toAnswer(message));
    options.onIdle();
  }

  function look(time: number): void {
    if (time - since >= options.deadlineMs) void end("deadline");
    else if (time - since >= roundMs) link.look();
  }

  /** One timer serves all calls of a second. */
  function tidy(): void {
    tidyTimer = undefined;
    if (state !== "idle") return;
    const left = since + quietMs - runtime.monotonic();
    if (left <= 0) link.tidy();
    else tidyTimer = setTimeout(tidy, left).unref();
  }

  function settle({ resolve, reject, release }: Current, outcome: () => Answer): void {
    release();
    try {
      resolve(outcome());
    } catch (error) {
      reject(error);
    }
  }

  function end(reason: WorkerEnd, error?: unknown): Promise<void> {
    if (state === "ended") return gone.promise;
    const before = state;
    state = "ended";
    rounds.remove(look);
    clearTimeout(startTimer);
    clearTimeout(tidyTimer);
    if (current !== undefined) settle(current, () => refuse(reason, options, error));
    // Another worker runs it.
    if (ahead?.sentTo === worker) ahead.sentTo = undefined;
    link.kill();
    options.onEnd(reason, before, error);
    return gone.promise;
  }

  const worker: Worker = {
    get state() {
      return state;
    },
    get group() {
      return group;
    },
    get takesAhead() {
      return state === "busy" && ahead === undefined && link.takesAhead;
    },
    ranMs: () => runtime.monotonic() - since,
    run,
    sendAhead(job) {
      link.send(job.call);
      ahead = job;
      job.sentTo = worker;
    },
    end: () => end("closed"),
  };
  return worker;
}

const ignore = (): void => {};

interface Current {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
  release(): void;
}
