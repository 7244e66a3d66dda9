import type { Answer, Call } from "../../catalog/execute.ts";
import { toAnswer } from "../../catalog/remote.ts";
import type { Link, OpenLink } from "./link.ts";
import { type Limits, refuse, type WorkerEnd } from "./limits.ts";

/** One worker, a thread or a process. It runs one call at a time. */
export interface Worker {
  readonly state: "starting" | "idle" | "busy" | "ended";
  /** The group that it works for. It stays set after the caller has gone away, until the work has ended. */
  readonly group: string | undefined;
  /** Takes a call; only while idle. */
  run(call: Call, signal?: AbortSignal, group?: string): Promise<Answer>;
  /** Ends the worker at once, whatever it does; resolves when it is gone. */
  end(): Promise<void>;
}

export interface WorkerOptions extends Limits {
  open: OpenLink;
  onReady(): void;
  /** Called after a call, when it can take the next. */
  onIdle(): void;
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
  let state: Worker["state"] = "starting";
  let current: Current | undefined;
  let group: string | undefined;
  let tidyTimer: NodeJS.Timeout | undefined;
  const gone = Promise.withResolvers<void>();
  const link: Link = options.open({
    onMessage(message) {
      if (state === "starting" && message.kind === "ready") {
        clearTimeout(startTimer);
        state = "idle";
        options.onReady();
      } else if (state === "busy" && message.kind !== "ready") {
        state = "idle";
        tidyTimer = setTimeout(() => link.tidy(), quietMs).unref();
        settle(() => toAnswer(message));
        options.onIdle();
      }
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
      clearTimeout(tidyTimer);
      state = "busy";
      group = forGroup;
      const deadline = setTimeout(() => end("deadline"), options.deadlineMs);
      const memory = link.watchMemory(() => end("memory"));
      let patience: NodeJS.Timeout | undefined;
      const onAbort = (): void => {
        reject(signal?.reason);
        patience = setTimeout(() => end("abandoned"), abandonMs);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const release = (): void => {
        clearTimeout(deadline);
        memory.stop();
        clearTimeout(patience);
        signal?.removeEventListener("abort", onAbort);
      };
      current = { resolve, reject, release };
    });
  }

  function settle(outcome: () => Answer): void {
    const { resolve, reject, release } = current as Current;
    current = undefined;
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
    clearTimeout(startTimer);
    clearTimeout(tidyTimer);
    if (current !== undefined) settle(() => refuse(reason, options, error));
    link.kill();
    options.onEnd(reason, before, error);
    return gone.promise;
  }

  return {
    get state() {
      return state;
    },
    get group() {
      return group;
    },
    run,
    end: () => end("closed"),
  };
}

interface Current {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
  release(): void;
}
