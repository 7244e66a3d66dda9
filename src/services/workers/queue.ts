import { ToolError } from "../../catalog/errors.ts";
import { type Answer, type Call, sizeOf } from "../../catalog/execute.ts";
import type { Isolation } from "../../catalog/tool.ts";
import type { Worker } from "./worker.ts";

/** Calls that wait for a worker. Groups take turns; within a group, the oldest call that may run goes first. */
export interface Queue {
  readonly size: number;
  readonly bytes: number;
  /** Returns how many calls wait for a worker of that kind. */
  waiting(place: Isolation): number;
  /**
   * Waits until the job is handed to `shift`. Rejects after too long a wait, or if the caller goes away.
   * @throws ToolError overloaded if the queue, or the group's half of it, is full.
   */
  push(call: Call, place: Isolation, signal?: AbortSignal, group?: string): Promise<Answer>;
  /** Removes the next job that may run; its group goes to the end of the turn. */
  shift(mayRun: (job: Job) => boolean): Job | undefined;
  /**
   * Returns the next job, if it is small, for a process that works for this group: only while no other group waits, and none
   * that was sent to one already. It stays in the queue until `begin`.
   */
  nextFor(group: string | undefined): Job | undefined;
  /** Removes a job that was sent ahead, because it begins; it is the turn of its group. Returns false if it no longer waits. */
  begin(job: Job): boolean;
  /** Refuses all waiting calls, or those for one kind of worker. */
  clear(error: unknown, place?: Isolation): void;
}

export interface Job {
  call: Call;
  place: Isolation;
  signal: AbortSignal | undefined;
  group: string | undefined;
  resolve(answer: Answer | PromiseLike<Answer>): void;
  reject(error: unknown): void;
  /** The busy worker that has the call already, and runs it next. */
  sentTo: Worker | undefined;
}

export interface QueueOptions {
  maxJobs: number;
  maxBytes: number;
  maxWaitMs: number;
  /** Reports whether the first workers of that kind are still starting: no call is refused as too many meanwhile. */
  isStarting(place: Isolation): boolean;
}

/** The waiting calls of one group. */
interface Line {
  /** Oldest first, each with the function that releases it. */
  jobs: Map<Job, () => void>;
  bytes: number;
}

/** Bytes of the largest call that is sent to a busy worker: the pipe takes it at once, and sending it a second time costs little. */
const maxAhead = 16_384;

export function createQueue({ maxJobs, maxBytes, maxWaitMs, isStarting }: QueueOptions): Queue {
  // Only groups with waiting calls, in the order of their turns. Calls without a group share one.
  const lines = new Map<string | undefined, Line>();
  const waiting = { thread: 0, process: 0 };
  let bytes = 0;
  // Every call that waits now is served or refused by then.
  const retryAfter = Math.max(1, Math.ceil(maxWaitMs / 1000));

  function push(call: Call, place: Isolation, signal?: AbortSignal, group?: string): Promise<Answer> {
    const size = countAll();
    const length = sizeOf(call.body);
    const line = lines.get(group) ?? { jobs: new Map(), bytes: 0 };
    // One body is always accepted, however large: the server bounds a single body.
    if (size >= maxJobs || (size > 0 && bytes + length > maxBytes)) {
      throw new ToolError("overloaded", "Too many calls wait for a worker already.", { retryAfter });
    }
    if (group !== undefined && line.jobs.size > 0) {
      if (line.jobs.size >= Math.floor(maxJobs / 2) || line.bytes + length > maxBytes / 2) {
        throw new ToolError("overloaded", "Too many of your calls wait for a worker already.", {
          retryAfter,
        });
      }
    }
    return new Promise((resolve, reject) => {
      const job: Job = { call, place, signal, group, resolve, reject, sentTo: undefined };
      const onAbort = (): void => refuse(job, signal?.reason);
      let timer: NodeJS.Timeout;
      const wait = (): void => {
        timer = setTimeout(() => {
          if (isStarting(place)) return wait();
          const message = `No worker was free for ${maxWaitMs} ms, the limit of waiting.`;
          refuse(job, new ToolError("overloaded", message, { retryAfter }));
        }, maxWaitMs);
      };
      wait();
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting[place]++;
      bytes += length;
      line.bytes += length;
      lines.set(group, line);
      line.jobs.set(job, () => {
        waiting[place]--;
        bytes -= length;
        line.bytes -= length;
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      });
    });
  }

  function take(job: Job): void {
    const line = lines.get(job.group);
    line?.jobs.get(job)?.();
    line?.jobs.delete(job);
    if (line?.jobs.size === 0) lines.delete(job.group);
  }

  function refuse(job: Job, error: unknown): void {
    take(job);
    job.reject(error);
  }

  const countAll = (): number => waiting.thread + waiting.process;

  function shift(mayRun: (job: Job) => boolean): Job | undefined {
    for (const [group, line] of lines) {
      const job = line.jobs.keys().find(mayRun);
      if (job === undefined) continue;
      pass(group, line);
      take(job);
      return job;
    }
    return undefined;
  }

  /** Moves a group to the end of the turn. */
  function pass(group: string | undefined, line: Line): void {
    lines.delete(group);
    lines.set(group, line);
  }

  function nextFor(group: string | undefined): Job | undefined {
    const line = lines.size === 1 ? lines.get(group) : undefined;
    const job = line?.jobs.keys().find(({ place, sentTo }) => place === "process" && sentTo === undefined);
    return job !== undefined && sizeOf(job.call.body) <= maxAhead ? job : undefined;
  }

  function begin(job: Job): boolean {
    const line = lines.get(job.group);
    if (line?.jobs.has(job) !== true) return false;
    pass(job.group, line);
    take(job);
    return true;
  }

  return {
    get size() {
      return countAll();
    },
    get bytes() {
      return bytes;
    },
    waiting: (place) => waiting[place],
    push,
    shift,
    nextFor,
    begin,
    clear(error, place) {
      for (const { jobs } of lines.values()) {
        for (const job of jobs.keys()) if (place === undefined || job.place === place) refuse(job, error);
      }
    },
  };
}
