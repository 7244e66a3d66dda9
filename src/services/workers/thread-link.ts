import { Worker } from "node:worker_threads";
import { type RemoteMessage, type RemoteRequest, toTransfer } from "../../catalog/remote.ts";
import { toResourceLimits } from "./limits.ts";
import type { OpenLink } from "./link.ts";

export interface ThreadLinkOptions {
  /** The worker's code, as a string or a file. */
  source: string | URL;
  memoryMb: number;
}

/** Opens workers that are threads of this process. */
export const toThreadLinks =
  ({ source, memoryMb }: ThreadLinkOptions): OpenLink =>
  ({ onMessage, onAbove, onFailed, onGone }) => {
    const worker = new Worker(source, {
      eval: typeof source === "string",
      // No environment, which may contain secrets, and no flags of the main thread.
      env: {},
      execArgv: [],
      resourceLimits: toResourceLimits(memoryMb),
    });
    // Timers of the calls keep the process alive while there is something to wait for; an idle thread must not.
    worker.unref();
    worker.on("message", (message: RemoteMessage) => onMessage(message));
    worker.on("error", (error: NodeJS.ErrnoException) =>
      onFailed(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "crash", error),
    );
    worker.on("exit", (code) => {
      onFailed("crash", new Error(`A worker thread exited with status ${code}`));
      onGone();
    });
    const post = (request: RemoteRequest, transfer: ArrayBuffer[] = []): void =>
      worker.postMessage(request, transfer);
    const watch = watchHeap(worker, memoryMb * 1_048_576, onAbove);
    return {
      send(call) {
        post({ kind: "call", call }, call.body.kind === "input" ? [] : toTransfer(call.body.bytes));
        watch.begin();
      },
      // It takes each message as it arrives, and its body is transferred.
      takesAhead: false,
      tidy: () => post({ kind: "tidy" }),
      look: watch.look,
      kill() {
        // Keeps this process alive until the worker has ended, for callers that wait for that.
        worker.ref();
        void worker.terminate();
      },
    };
  };

/** Rounds from one sample to the next: 100 ms. */
const roundsPerSample = 4;
/** Samples above the limit before the worker is ended: garbage counts until it is collected. */
const samplesAbove = 2;

/**
 * Ends work that takes too much memory before V8 does. V8 stops only the thread if the failing allocation is small, but
 * the whole process if it is one long string.
 */
function watchHeap(worker: Worker, limitBytes: number, onAbove: () => void): { begin(): void; look(): void } {
  let calls = 0;
  let rounds = 0;
  let above = 0;
  let isSampling = false;

  async function sample(): Promise<void> {
    const call = calls;
    try {
      const { used_heap_size: used } = await worker.getHeapStatistics();
      if (call !== calls) return;
      above = used > limitBytes ? above + 1 : 0;
      if (above >= samplesAbove) onAbove();
    } catch {
      // The thread has ended, which is reported elsewhere.
    } finally {
      isSampling = false;
    }
  }

  return {
    begin() {
      calls += 1;
      rounds = 0;
      above = 0;
    },
    look() {
      rounds += 1;
      // The thread answers when it can, which takes a while during one long step of V8.
      if (isSampling || rounds % roundsPerSample !== 0) return;
      isSampling = true;
      void sample();
    },
  };
}
