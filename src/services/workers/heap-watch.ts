import type { Worker } from "node:worker_threads";
import type { MemoryWatch } from "./link.ts";

const lookMs = 100;
/** Garbage counts until it is collected, so that one look above the limit may be a heap that is about to be tidied. */
const looksAbove = 2;

/**
 * Ends work that takes too much memory before V8 does: V8 stops a thread only where the allocation that is too much
 * is small, and the whole process where it is one long string.
 */
export function watchHeap(worker: Worker, limitBytes: number, onAbove: () => void): MemoryWatch {
  let above = 0;
  let looking = false;
  const timer = setInterval(() => void look(), lookMs);

  async function look(): Promise<void> {
    // It answers when the thread comes by: in the middle of one long step of V8 that takes a while.
    if (looking) return;
    looking = true;
    try {
      const { used_heap_size: used } = await worker.getHeapStatistics();
      above = used > limitBytes ? above + 1 : 0;
      if (above >= looksAbove) onAbove();
    } catch {
      // The thread has ended, which others hear of.
    } finally {
      looking = false;
    }
  }

  return { stop: () => clearInterval(timer) };
}
