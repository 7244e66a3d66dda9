import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

const fixture = new URL("./queue-worker.ts", import.meta.url).pathname;

export interface Claimed {
  id: string;
  fence: number;
  /** The machine's clock before the request to Redis and after its answer, in epoch milliseconds. */
  before: number;
  after: number;
}

export interface Settled {
  id: string;
  fence: number;
  /** Before the request to Redis. */
  before: number;
}

/** The output of all workers, including killed ones. */
export interface Tale {
  added: { id: string; event: string }[];
  claimed: Claimed[];
  settled: Settled[];
  /** Settled too late. */
  lost: Settled[];
  /** Every other line except `ready`. */
  others: string[];
}

export interface Worker {
  /** kill -9; resolves when the worker has ended and all of its output has arrived. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Resolves with its exit status when the queue is empty. */
  drain(): Promise<number | null>;
}

/** Nodes that share one queue. */
export function createWorkers(url: string, prefix: string, options: { leaseMs: number; inFlight: number }) {
  const tale: Tale = { added: [], claimed: [], settled: [], lost: [], others: [] };

  function listen(line: string): void {
    const [word, id = "", ...rest] = line.split(" ");
    const [first = 0, second = 0, third = 0] = rest.map(Number);
    if (word === "added") tale.added.push({ id, event: rest[0] ?? "" });
    else if (word === "claimed" && rest[3] === "whole")
      tale.claimed.push({ id, fence: first, before: second, after: third });
    else if (word === "settled" || word === "lost") tale[word].push({ id, fence: first, before: second });
    else if (word !== "ready") tale.others.push(line);
  }

  function start(): Worker {
    const child: ChildProcess = spawn(
      process.execPath,
      [fixture, url, prefix, String(options.leaseMs), String(options.inFlight)],
      { stdio: ["pipe", "pipe", "pipe"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", listen);
    child.stderr?.on("data", (data: Buffer) => tale.others.push(data.toString()));
    child.stdin?.on("error", () => {});
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    return {
      async kill() {
        child.kill("SIGKILL");
        await ended;
      },
      freeze: () => void child.kill("SIGSTOP"),
      thaw: () => void child.kill("SIGCONT"),
      drain() {
        child.stdin?.write("drain\n");
        return ended;
      },
    };
  }

  /** A busy machine can promise progress, not time. */
  async function until(progress: () => boolean): Promise<void> {
    for (const end = performance.now() + 60_000; !progress();) {
      if (performance.now() > end) throw new Error(`no progress: ${tale.others.slice(-5).join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  return { tale, start, until };
}

/**
 * Pairs of claims of one delivery in which the second began before the lease of the first was over, without a settlement. `logged` returns
 * when the attempt `ID FENCE` began according to the log: a killed worker could not report it.
 */
export function findOverlaps(
  { claimed, settled }: Tale,
  logged: ReadonlyMap<string, number>,
  leaseMs: number,
): string[] {
  const settledAt = new Map(logged);
  for (const { id, fence, before } of settled) settledAt.set(`${id} ${fence}`, before);
  return [...Map.groupBy(claimed, ({ id }) => id).values()].flatMap((claims) => {
    const ordered = claims.toSorted((one, other) => one.fence - other.fence);
    return ordered.slice(1).flatMap((next, index) => {
      const last = ordered[index] as Claimed;
      const freeAt = Math.min(settledAt.get(`${last.id} ${last.fence}`) ?? Infinity, last.before + leaseMs);
      return next.after >= freeAt
        ? []
        : [`${next.id}: ${last.fence} from ${last.before}, ${next.fence} by ${next.after}`];
    });
  });
}
