import { Worker } from "node:worker_threads";
import type { RemoteMessage, RemoteRequest } from "../../catalog/remote.ts";
import { toTransfer } from "../../catalog/remote.ts";
import { watchHeap } from "./heap-watch.ts";
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
  ({ onMessage, onFailed, onGone }) => {
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
    return {
      send: (call) =>
        post({ kind: "call", call }, call.body.kind === "input" ? [] : toTransfer(call.body.bytes)),
      tidy: () => post({ kind: "tidy" }),
      watchMemory: (onAbove) => watchHeap(worker, memoryMb * 1_048_576, onAbove),
      kill() {
        // Keeps this process alive until the worker has ended, for callers that wait for that.
        worker.ref();
        void worker.terminate();
      },
    };
  };
