import type { Answer, Call } from "../../catalog/execute.ts";
import { ToolError } from "../../catalog/errors.ts";
import { createCrew, type PoolEvent } from "./crew.ts";
import { createQueue } from "./queue.ts";
import type { Limits } from "./limits.ts";

/** Runs calls in worker threads, each within a deadline and a memory limit. */
export interface Pool {
  /**
   * Runs one call. Bytes of the body are taken over: where they own their buffer, it is empty afterwards. An
   * abort frees the caller at once (rejecting with the signal's reason); see `abandonMs` in thread.ts for the
   * work.
   *
   * `group` is whose work it is. Groups take turns, and none gets every thread or the whole queue. Without one
   * the call is the operator's own, and takes what there is.
   * @throws ToolError as the tool does, and deadline_exceeded, memory_exceeded, overloaded. Anything else is
   * a bug.
   */
  run(call: Call, signal?: AbortSignal, group?: string): Promise<Answer>;
  stats(): PoolStats;
  /** Warms a thread and keeps a spare one from now on; without it threads start with the first calls. */
  start(): void;
  /** Takes no more calls, lets those that it has run for `graceMs` at most, then ends every thread. */
  close(graceMs?: number): Promise<void>;
}

/**
 * A call may run for `deadlineMs`, and wait as long before; but never less than a thread may take to start.
 */
export interface PoolOptions extends Limits {
  /** The worker's code as a string, or the file that it is in. */
  source: string | URL;
  /** Threads at most; see `autoSize`. */
  size: number;
  /** Calls that may wait, half of them of one group; 64 unless given. */
  maxQueue?: number;
  /** Bytes of bodies that may wait, half of them of one group; 128 MiB unless given. */
  maxQueueBytes?: number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  onEvent?(event: PoolEvent): void;
}

export interface PoolStats {
  size: number;
  starting: number;
  idle: number;
  busy: number;
  queued: number;
  queuedBytes: number;
}

/**
 * Threads for a machine: one core is left to the event loop, and two threads at least, so that no call has to
 * wait for one that runs until its deadline.
 */
export const autoSize = (cores: number): number => Math.max(2, cores - 1);

/** What a busy machine may take to start a thread, in milliseconds. */
const patienceMs = 2000;

export function createPool(options: PoolOptions): Pool {
  const { deadlineMs, maxQueue = 64, maxQueueBytes = 128 * 1024 * 1024, onEvent = () => {} } = options;
  if (!(options.size >= 1)) throw new RangeError("A pool needs a thread");
  const maxWaitMs = Math.max(deadlineMs, patienceMs);
  /**
   * One thread stays free of a group's work even while nobody else has any: a call cannot be taken off a thread
   * again, so that those who come a moment later would wait until a deadline.
   */
  const maxThreads = Math.max(1, options.size - 1);
  const queue = createQueue({ maxJobs: maxQueue, maxBytes: maxQueueBytes, maxWaitMs });
  const crew = createCrew({
    ...options,
    wanted: () => queue.size,
    onFree: dispatch,
    onEvent,
    onHopeless: (error) => queue.clear(error),
  });
  let closing = false;
  let onQuiet: (() => void) | undefined;

  async function run(call: Call, signal?: AbortSignal, group?: string): Promise<Answer> {
    if (closing) throw new ToolError("overloaded", "The server is shutting down.", { retryAfter: 1 });
    signal?.throwIfAborted();
    // Whoever may have an idle thread has nobody before him: `dispatch` leaves none idle but for calls of groups
    // that have all the threads they may.
    const thread = mayRun(group) ? crew.idle() : undefined;
    const answer = thread?.run(call, signal, group) ?? queue.push(call, signal, group);
    crew.hire();
    return answer;
  }

  const mayRun = (group: string | undefined): boolean =>
    group === undefined || crew.busyFor(group) < maxThreads;

  function dispatch(): void {
    for (let thread = crew.idle(); thread !== undefined; thread = crew.idle()) {
      const job = queue.shift(mayRun);
      if (job === undefined) break;
      job.resolve(thread.run(job.call, job.signal, job.group));
    }
    crew.hire();
    if (isQuiet()) onQuiet?.();
  }

  const isQuiet = (): boolean => queue.size === 0 && crew.count().busy === 0;

  async function close(graceMs = 0): Promise<void> {
    closing = true;
    if (!isQuiet() && graceMs > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, graceMs);
      onQuiet = resolve;
      await promise;
      clearTimeout(timer);
    }
    queue.clear(new ToolError("overloaded", "The server is shutting down.", { retryAfter: 1 }));
    await crew.close();
  }

  return {
    run,
    stats: () => ({ size: options.size, ...crew.count(), queued: queue.size, queuedBytes: queue.bytes }),
    start: crew.warm,
    close,
  };
}
