import { readdirSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** Returns the memory of a process and its children in bytes, counting shared pages once (PSS). */
export function proportionalBytes(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + pssOf(one), 0);
}

function pssOf(pid: number): number {
  try {
    return (
      Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) * 1024
    );
  } catch {
    // The process has exited since it was listed.
    return 0;
  }
}

/** All descendants. A child is listed below the thread that started it. */
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
  /** The highest memory of the process and its children in one sample. */
  highestBytes: number;
  /** The longest time from a request to /healthz to its answer, or to the end of the watch. */
  longestSilenceMs: number;
  /** Answers of /healthz with status 200. */
  healthy: number;
  /** Any other outcome: refused, reset, another status. */
  failed: number;
}

export interface Watch {
  now(): Watched;
  /** Resets the peak memory and the longest silence of the current period; the result of the watch covers all periods. */
  reset(): void;
  /** Ends the watch. */
  stop(): Promise<Watched>;
}

const healthMs = 100;
/** Adding up the pages of half a gigabyte takes the kernel some 15 ms of CPU time. */
const memoryMs = 300;

/**
 * Watches a server from a thread of its own: samples its memory three times a second and requests /healthz ten times a second,
 * over one connection from an address that nothing else uses.
 */
export async function watch(pid: number, origin: string, localAddress = "127.9.9.9"): Promise<Watch> {
  const state = new SharedArrayBuffer(4 * Float64Array.BYTES_PER_ELEMENT);
  const numbers = new Float64Array(state);
  const worker = new Worker(new URL("./watch-worker.ts", import.meta.url), {
    workerData: { pid, origin, localAddress, state, healthMs, memoryMs },
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
