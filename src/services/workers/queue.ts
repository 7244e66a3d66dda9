import { ToolError } from "../../catalog/errors.ts";
import { type Answer, type Call, sizeOf } from "../../catalog/execute.ts";

/** Calls that wait for a thread. Groups take turns; within one, first come first served. */
export interface Queue {
  readonly size: number;
  readonly bytes: number;
  /**
   * Waits; the job is handed to `shift`. Rejects where it waits too long, or its caller goes away.
   * @throws ToolError overloaded where the queue is full, or the group's half of it.
   */
  push(call: Call, signal?: AbortSignal, group?: string): Promise<Answer>;
  /** The next job of a group that may run; that group is the last to have the next turn. */
  shift(mayRun: (group: string | undefined) => boolean): Job | undefined;
  /** Refuses all that wait. */
  clear(error: unknown): void;
}

export interface Job {
  call: Call;
  signal: AbortSignal | undefined;
  group: string | undefined;
  resolve(answer: Answer | PromiseLike<Answer>): void;
  reject(error: unknown): void;
}

export interface QueueOptions {
  maxJobs: number;
  maxBytes: number;
  maxWaitMs: number;
}

/** What waits of one group. */
interface Line {
  /** The oldest first, each with what releases it. */
  jobs: Map<Job, () => void>;
  bytes: number;
}

export function createQueue({ maxJobs, maxBytes, maxWaitMs }: QueueOptions): Queue {
  // Those with something waiting only, in the order of their turns. Calls without a group share a line.
  const lines = new Map<string | undefined, Line>();
  let size = 0;
  let bytes = 0;
  // What waits now is served or refused by then.
  const retryAfter = Math.max(1, Math.ceil(maxWaitMs / 1000));

  function push(call: Call, signal?: AbortSignal, group?: string): Promise<Answer> {
    const length = sizeOf(call.body);
    const line = lines.get(group) ?? { jobs: new Map(), bytes: 0 };
    // One body is always let in, however large: its own limit is the server's.
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
      const job: Job = { call, signal, group, resolve, reject };
      const onAbort = (): void => refuse(job, signal?.reason);
      const timer = setTimeout(() => {
        const message = `No worker was free for ${maxWaitMs} ms, the limit of waiting.`;
        refuse(job, new ToolError("overloaded", message, { retryAfter }));
      }, maxWaitMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      size++;
      bytes += length;
      line.bytes += length;
      lines.set(group, line);
      line.jobs.set(job, () => {
        size--;
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

  function shift(mayRun: (group: string | undefined) => boolean): Job | undefined {
    for (const [group, line] of lines) {
      if (!mayRun(group)) continue;
      const [job] = line.jobs.keys();
      if (job === undefined) continue;
      lines.delete(group);
      lines.set(group, line);
      take(job);
      return job;
    }
    return undefined;
  }

  return {
    get size() {
      return size;
    },
    get bytes() {
      return bytes;
    },
    push,
    shift,
    clear(error) {
      for (const { jobs } of lines.values()) for (const job of jobs.keys()) refuse(job, error);
    },
  };
}
