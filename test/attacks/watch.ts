import { readdirSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** Returns the bytes that a process and its children hold in memory; a page that several share counts once (PSS). */
export function proportionalBytes(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + pssOf(one), 0);
}

function pssOf(pid: number): number {
  try {
    return (
      Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1024
    );
  } catch {
    // It has ended since it was listed.
    return 0;
  }
}

/** Every descendant. A child is listed below the thread that started it. */
export function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
    return children.flatMap((child) => [child, ...childrenOf(child)]);
  } catch {
    return [];
  }
}

export interface Watched {
  /** The most that the process and its children held at one look. */
  highestBytes: number;
  /** The longest time from asking /healthz to its answer, or to the end of the watch. */
  longestSilenceMs: number;
  /** Answers of /healthz with status 200. */
  healthy: number;
  /** Any other end: refused, reset, another status. */
  failed: number;
}

export interface Watch {
  now(): Watched;
  /** Begins the highest memory and the longest silence anew; the end of the watch has those of all of it. */
  reset(): void;
  /** Ends the watch. */
  stop(): Promise<Watched>;
}

const lookMs = 100;

/**
 * Looks at a server from outside, on a thread of its own: its memory and its answers at /healthz, ten times a second,
 * over one connection from an address that nothing else calls from.
 */
export async function watch(pid: number, origin: string, localAddress = "127.9.9.9"): Promise<Watch> {
  const state = new SharedArrayBuffer(4 * Float64Array.BYTES_PER_ELEMENT);
  const numbers = new Float64Array(state);
  const worker = new Worker(new URL("./watch-worker.ts", import.meta.url), {
    workerData: { pid, origin, localAddress, state, lookMs },
  });
  await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  let [most, longest] = [0, 0];
  const now = (): Watched => {
    const [highestBytes = 0, longestSilenceMs = 0, healthy = 0, failed = 0] = numbers;
    return { highestBytes, longestSilenceMs, healthy, failed };
  };
  return {
    now,
    reset() {
      most = Math.max(most, numbers[0] ?? 0);
      longest = Math.max(longest, numbers[1] ?? 0);
      numbers.fill(0, 0, 2);
    },
    async stop() {
      worker.postMessage("stop", []);
      await new Promise((resolve) => worker.once("exit", resolve));
      const watched = now();
      return {
        ...watched,
        highestBytes: Math.max(most, watched.highestBytes),
        longestSilenceMs: Math.max(longest, watched.longestSilenceMs),
      };
    },
  };
}
