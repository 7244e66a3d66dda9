import type { ResourceLimits } from "node:worker_threads";
import { ToolError } from "../../catalog/errors.ts";

/**
 * The reason for the end of a worker: a limit, a caller that went away, an abort of V8 (processes only), an external signal, a fault,
 * or a request to end.
 */
export type WorkerEnd = "deadline" | "memory" | "abandoned" | "abort" | "killed" | "crash" | "closed";

export interface Limits {
  /** Milliseconds that one call may run. */
  deadlineMs: number;
  /** Megabytes of the heap of one worker. */
  memoryMb: number;
}

/**
 * Returns the number of workers for a machine. One core is left to the event loop; two workers at least, so that no
 * call waits for one that runs until its deadline.
 */
export const autoSize = (cores: number): number => Math.max(2, cores - 1);

/** Megabytes that a process may use beyond V8's heap, for itself and for the bodies that it reads and writes. */
export const besidesHeapMb = 96;

/**
 * Megabytes above the limit at which V8 itself gives up, where it ends the whole process if what it lacks is a large
 * piece (thread-link.ts). More than the longest text that a tool makes, in two bytes a character.
 */
const margin = 512;

/**
 * V8 counts its own heap only. What lies outside, buffers and WebAssembly memory, is bounded by what goes in
 * (server.bodyLimit), by the caps of the tools on what comes out, and by the number of threads and of waiting
 * calls.
 */
export function toResourceLimits(memoryMb: number): ResourceLimits {
  return {
    maxOldGenerationSizeMb: memoryMb + margin,
    maxYoungGenerationSizeMb: Math.min(48, Math.ceil(memoryMb / 4)),
  };
}

/** Throws the error for a caller whose worker has ended. */
export function refuse(reason: WorkerEnd, { deadlineMs, memoryMb }: Limits, cause: unknown): never {
  switch (reason) {
    case "deadline":
      throw new ToolError("deadline_exceeded", `The tool was stopped after ${deadlineMs} ms, the limit.`, {
        limit: deadlineMs,
      });
    case "memory":
      throw new ToolError("memory_exceeded", `The tool was stopped at ${memoryMb} MB of memory, the limit.`, {
        limit: memoryMb,
      });
    case "abort":
      throw new ToolError(
        "memory_exceeded",
        "The tool was stopped: a value would not fit into memory. Send a smaller document, or ask for less of it.",
        { limit: memoryMb },
      );
    case "killed":
      throw new ToolError(
        "overloaded",
        "The system ended the tool during the call, because memory is short. Try again.",
        { retryAfter: 1 },
      );
    case "closed":
      throw new ToolError("overloaded", "The server is shutting down.", { retryAfter: 1 });
    case "abandoned":
    case "crash":
      throw new Error("A worker ended in the middle of a call", { cause });
  }
}
