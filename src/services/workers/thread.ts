import { Worker } from "node:worker_threads";
import type { Answer, Call } from "../../catalog/execute.ts";
import { type RemoteMessage, toAnswer, toTransfer } from "../../catalog/remote.ts";
import { watchHeap } from "./heap-watch.ts";
import { type Limits, refuse, type ThreadEnd, toResourceLimits } from "./limits.ts";

/** One worker thread. It runs one call at a time. */
export interface Thread {
  readonly state: "starting" | "idle" | "busy" | "ended";
  /** Whom it works for, or did last; also after the caller went away, until the work has ended. */
  readonly group: string | undefined;
  /** Only while idle. */
  run(call: Call, signal?: AbortSignal, group?: string): Promise<Answer>;
  /** Ends it now, whatever it does; resolves when it is gone. */
  end(): Promise<void>;
}

export interface ThreadOptions extends Limits {
  /** The worker's code as a string, or the file that it is in. */
  source: string | URL;
  onReady(): void;
  /** After a call, when it can take the next. */
  onIdle(): void;
  /** At the decision; it may live for a few milliseconds more, until `onGone`. */
  onEnd(reason: ThreadEnd, state: Thread["state"], error?: unknown): void;
  onGone(): void;
}

/** Milliseconds in which a thread must be ready. */
const startMs = 30_000;

/**
 * Milliseconds that abandoned work may still run. Most calls end by themselves within them, and who connects
 * and hangs up in a loop holds a thread for that long each time, so that the cost of new threads stays a
 * fraction of the time they serve.
 */
const abandonMs = 250;

export function createThread(options: ThreadOptions): Thread {
  const { source, deadlineMs, memoryMb } = options;
  const worker = new Worker(source, {
    eval: typeof source === "string",
    // Nothing of the environment, where secrets may be, and no flags of the main thread.
    env: {},
    execArgv: [],
    resourceLimits: toResourceLimits(memoryMb),
  });
  // Timers of the calls keep the process alive while there is something to wait for; an idle thread must not.
  worker.unref();
  const gone = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  let state: Thread["state"] = "starting";
  let current: Current | undefined;
  let group: string | undefined;
  const startTimer = setTimeout(
    () => end("crash", new Error("A worker thread did not start")),
    startMs,
  ).unref();

  worker.on("message", (message: RemoteMessage) => {
    if (state === "starting" && message.kind === "ready") {
      clearTimeout(startTimer);
      state = "idle";
      options.onReady();
    } else if (state === "busy" && message.kind !== "ready") {
      state = "idle";
      settle(() => toAnswer(message));
      options.onIdle();
    }
  });
  worker.on("error", (error: NodeJS.ErrnoException) =>
    end(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "crash", error),
  );
  worker.on("exit", (code) => {
    end("crash", new Error(`A worker thread exited with status ${code}`));
    options.onGone();
  });

  function run(call: Call, signal?: AbortSignal, forGroup?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Throws where the call cannot be cloned, which is a bug of the surface; the thread has not seen it
      // then.
      worker.postMessage(call, call.body.kind === "input" ? [] : toTransfer(call.body.bytes));
      state = "busy";
      group = forGroup;
      const deadline = setTimeout(() => end("deadline"), deadlineMs);
      const heap = watchHeap(worker, memoryMb * 1_048_576, () => end("memory"));
      let patience: NodeJS.Timeout | undefined;
      const onAbort = (): void => {
        reject(signal?.reason);
        patience = setTimeout(() => end("abandoned"), abandonMs);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const release = (): void => {
        clearTimeout(deadline);
        heap.stop();
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

  function end(reason: ThreadEnd, error?: unknown): Promise<void> {
    if (state === "ended") return gone;
    const before = state;
    state = "ended";
    clearTimeout(startTimer);
    if (current !== undefined) settle(() => refuse(reason, options, error));
    void worker.terminate();
    options.onEnd(reason, before, error);
    return gone;
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
