import type { Answer, Call } from "../../catalog/execute.ts";
import { ToolError } from "../../catalog/errors.ts";
import type { Isolation } from "../../catalog/tool.ts";
import { createCrew, type CrewOptions, type PoolEvent } from "./crew.ts";
import type { Limits } from "./limits.ts";
import type { OpenLink } from "./link.ts";
import { type ProcessCommand, toProcessLinks } from "./process-link.ts";
import { createQueue, type Job } from "./queue.ts";
import { createRounds } from "./rounds.ts";
import { toThreadLinks } from "./thread-link.ts";
import type { Runtime } from "../../runtime.ts";

/** Runs calls in worker threads and worker processes, each within a deadline and a memory limit. */
export interface Pool {
  /**
   * Runs one call. Bytes of the body are taken over: where they own their buffer, it is empty afterwards. An
   * abort frees the caller at once (rejecting with the signal's reason); see `abandonMs` in worker.ts for the
   * work.
   *
   * `group` is the caller's group. Groups take turns, and none gets every worker or the whole queue. Without one
   * the call is the operator's own, and is limited only by the size of the pool.
   * @throws ToolError as the tool does, and deadline_exceeded, memory_exceeded, overloaded. Anything else is
   * a bug.
   */
  run(call: Call, place: Isolation, signal?: AbortSignal, group?: string): Promise<Answer>;
  stats(): PoolStats;
  /** Warms a worker of each kind and keeps a spare one from now on; without it workers start with the first calls. */
  start(): void;
  /** Takes no more calls, waits up to `graceMs` for running calls, then ends every worker. */
  close(graceMs?: number): Promise<void>;
}

/** Milliseconds that a call may run. */
export interface PoolOptions extends Limits {
  /** The code of a worker thread, as a string or a file. */
  source: string | URL;
  /** The command that starts a worker process. */
  process: ProcessCommand;
  /** Most busy workers, threads and processes together; see `autoSize` in limits.ts. */
  size: number;
  /** Most waiting calls, half of them of one group; 64 unless given. */
  maxQueue?: number;
  /** Most bytes of waiting bodies, half of them of one group; 128 MiB unless given. */
  maxQueueBytes?: number;
  /** See `CrewOptions`. */
  idleMs?: number;
  /** Milliseconds that a call may wait for a worker; `deadlineMs` unless given, and at least the time of a start. */
  maxWaitMs?: number;
  runtime: Runtime;
  onEvent?(event: PoolEvent): void;
}

export interface PoolStats {
  /** Workers that may be busy at once. */
  size: number;
  threads: WorkerCounts;
  processes: WorkerCounts;
  queued: number;
  queuedBytes: number;
}

export interface WorkerCounts {
  starting: number;
  idle: number;
  busy: number;
}

/** Milliseconds that a busy machine may take to start a worker. */
const patienceMs = 2000;

/** Milliseconds after which a call that was sent behind another one is taken to an idle worker. */
const stuckMs = 25;

export function createPool(options: PoolOptions): Pool {
  const { size, deadlineMs, maxQueue = 64, maxQueueBytes = 128 * 1024 * 1024, onEvent = () => {} } = options;
  if (!(size >= 1)) throw new RangeError("A pool needs a worker");
  const maxWaitMs = Math.max(options.maxWaitMs ?? deadlineMs, patienceMs);
  /**
   * One worker stays free of a group's work even if no other group has work: a running call cannot be interrupted, so
   * callers that come a moment later would wait until a deadline.
   */
  const maxPerGroup = Math.max(1, size - 1);
  const queue = createQueue({
    maxJobs: maxQueue,
    maxBytes: maxQueueBytes,
    maxWaitMs,
    isStarting(place) {
      const { starting, idle, busy } = crews[place].count();
      return starting > 0 && idle + busy === 0;
    },
  });
  const rounds = createRounds(options.runtime, () => {
    if (queue.size > 0) dispatch();
  });
  const openCrew = (place: Isolation, open: OpenLink) =>
    createCrew({
      ...options,
      open,
      rounds,
      onBegin: queue.begin,
      wanted: () => queue.waiting(place),
      onFree: dispatch,
      onEvent: (event) => onEvent({ place, ...event }),
      onHopeless: () => queue.clear(noWorker(), place),
    } satisfies CrewOptions);
  const crews = {
    thread: openCrew("thread", toThreadLinks(options)),
    process: openCrew("process", toProcessLinks({ ...options.process, memoryMb: options.memoryMb })),
  };
  const both = [crews.thread, crews.process];
  let closing = false;
  let onQuiet: (() => void) | undefined;

  async function run(call: Call, place: Isolation, signal?: AbortSignal, group?: string): Promise<Answer> {
    if (closing) throw shuttingDown();
    signal?.throwIfAborted();
    // An idle worker implies that no eligible call is queued, so this call is first in line.
    const worker = mayRun({ place, group }) ? crews[place].idle() : undefined;
    const answer = worker?.run(call, signal, group) ?? queue.push(call, place, signal, group);
    if (worker === undefined) sendAhead();
    crews[place].start();
    return answer;
  }

  /** Reports whether a call may run now. Threads and processes share the limit, because they share processors and memory. */
  const mayRun = ({ place, group }: { place: Isolation; group: string | undefined }): boolean =>
    crews[place].idle() !== undefined &&
    sum(both, (crew) => crew.occupied()) < size &&
    (group === undefined || sum(both, (crew) => crew.busyFor(group)) < maxPerGroup);

  function dispatch(): void {
    for (let job = queue.shift(mayTake); job !== undefined; job = queue.shift(mayTake)) {
      const { call, place, signal, group, resolve } = job;
      resolve(crews[place].idle()?.run(call, signal, group) as Promise<Answer>);
    }
    sendAhead();
    for (const crew of both) crew.start();
    if (isQuiet()) onQuiet?.();
  }

  /** Reports whether an idle worker may run a waiting call. One that was sent ahead begins elsewhere in a moment, unless it is stuck. */
  const mayTake = (job: Job): boolean => mayRun(job) && (job.sentTo?.ranMs() ?? Infinity) >= stuckMs;

  /**
   * Sends busy processes the call that they run next, so that neither they nor the event loop wait for each other between
   * two calls. It is of the group that they work for: nobody waits for another caller's call.
   */
  function sendAhead(): void {
    if (queue.waiting("process") === 0) return;
    for (const worker of crews.process.ahead()) {
      const job = queue.nextFor(worker.group);
      try {
        if (job !== undefined) worker.sendAhead(job);
      } catch {
        // A call that cannot be sent is refused when a worker is free for it.
      }
    }
  }

  const isQuiet = (): boolean => queue.size === 0 && both.every((crew) => crew.count().busy === 0);

  async function close(graceMs = 0): Promise<void> {
    closing = true;
    if (!isQuiet() && graceMs > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, graceMs);
      onQuiet = resolve;
      await promise;
      clearTimeout(timer);
    }
    queue.clear(shuttingDown());
    await Promise.all(both.map((crew) => crew.close()));
  }

  return {
    run,
    stats: () => ({
      size,
      threads: crews.thread.count(),
      processes: crews.process.count(),
      queued: queue.size,
      queuedBytes: queue.bytes,
    }),
    start() {
      for (const crew of both) crew.warm();
    },
    close,
  };
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

const shuttingDown = (): ToolError =>
  new ToolError("overloaded", "The server is shutting down.", { retryAfter: 1 });

/** Makes the refusal for a worker that could not be started. The reason is in the log, for the operator. */
const noWorker = (): ToolError =>
  new ToolError("overloaded", "No worker could be started for this tool. Try again later.", {
    retryAfter: 5,
  });
