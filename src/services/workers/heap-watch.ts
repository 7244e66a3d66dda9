import type { Worker } from "node:worker_threads";
import type { MemoryWatch } from "./link.ts";

const lookMs = 100;
/** Samples above the limit before the worker is ended: garbage counts until it is collected. */
const looksAbove = 2;

/**
 * Ends work that takes too much memory before V8 does. V8 stops only the thread if the failing allocation is small, but
 * the whole process if it is one long string.
 */
export function watchHeap(worker: Worker, limitBytes: number, onAbove: () => void): MemoryWatch {
  let above = 0;
  let looking = false;
  const timer = setInterval(() => void look(), lookMs);

  async function look(): Promise<void> {
    // The thread answers when it can, which takes a while during one long step of V8.
    if (looking) return;
    looking = true;
    try {
      const { used_heap_size: used } = await worker.getHeapStatistics();
      above = used > limitBytes ? above + 1 : 0;
      if (above >= looksAbove) onAbove();
    } catch {
      // The thread has ended, which is reported elsewhere.
    } finally {
      looking = false;
    }
  }

  return { stop: () => clearInterval(timer) };
}
