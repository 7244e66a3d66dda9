import type { ResourceLimits } from "node:worker_threads";
import { ToolError } from "../../catalog/errors.ts";

/** Why a thread is no more: a limit, a caller who went away, a fault, or because it was told to. */
export type ThreadEnd = "deadline" | "memory" | "abandoned" | "crash" | "closed";

export interface Limits {
  /** How long one call may run. */
  deadlineMs: number;
  /** The heap of one thread. */
  memoryMb: number;
}

/**
 * Megabytes above the limit at which V8 itself gives up, where it ends the whole process if what it lacks is a large
 * piece (heap-watch.ts). More than the longest text that a tool makes, in two bytes a character.
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

/** @throws what the caller of a call is told whose thread has ended. */
export function refuse(reason: ThreadEnd, { deadlineMs, memoryMb }: Limits, cause: unknown): never {
  switch (reason) {
    case "deadline":
      throw new ToolError("deadline_exceeded", `The tool was stopped after ${deadlineMs} ms, the limit.`, {
        limit: deadlineMs,
      });
    case "memory":
      throw new ToolError("memory_exceeded", `The tool was stopped at ${memoryMb} MB of memory, the limit.`, {
        limit: memoryMb,
      });
    case "closed":
      throw new ToolError("overloaded", "The server is shutting down.", { retryAfter: 1 });
    case "abandoned":
    case "crash":
      throw new Error("A worker thread ended in the middle of a call", { cause });
  }
}
