import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import type { Count } from "./storage.ts";

/** Counts in fixed windows, each starting with the first use of its id. */
export interface WindowCounter {
  consume(id: string, points: number): Promise<Count>;
  /** The window of an id as it is now, without counting. */
  seen(id: string): Count | undefined;
  reset(id: string): void;
  /** Puts a window back that was counted before a restart. */
  restore(id: string, count: Count): void;
  /** The oldest window first; some may be over. */
  ids(): Iterable<string>;
}

/**
 * `capacity` bounds the memory (about 600 bytes a window). Beyond it the oldest window is dropped: an attacker
 * with a great many addresses gains nothing by it, because each of them has a quota of its own anyway, and the
 * caller whose window is dropped only gets a new one early.
 */
export function createWindowCounter(options: {
  seconds: number;
  capacity: number;
  now: () => number;
}): WindowCounter {
  const { seconds, capacity, now } = options;
  const length = seconds * 1_000;
  // The limit is compared by the caller, so that one limiter serves every plan and a new limit applies within
  // the window. It must be finite, and it is never reached: whatever this rejects with is a fault.
  const limiter = new RateLimiterMemory({ points: 1e15, duration: seconds });
  // In the order in which the windows began, hence in which they end.
  const windows = new Map<string, Count>();

  /**
   * A window ends by the wall clock here, or by the library's own (unref'ed, monotonic) timer, whichever comes
   * first: a clock that is set back must not make it longer than it was promised.
   */
  function live(id: string, time: number): Count | undefined {
    const window = windows.get(id);
    if (window === undefined || window.resetAt <= time) return undefined;
    if (window.resetAt > time + length) window.resetAt = time + length;
    return window;
  }

  function drop(id: string): void {
    windows.delete(id);
    void limiter.delete(id);
  }

  function add(id: string, count: Count, time: number): void {
    windows.delete(id);
    for (const [oldest, window] of windows) {
      if (window.resetAt > time && windows.size < capacity) break;
      drop(oldest);
    }
    windows.set(id, count);
  }

  return {
    async consume(id, points) {
      const time = now();
      let window = live(id, time);
      if (window === undefined) {
        drop(id);
        window = { used: 0, resetAt: time + length };
        add(id, window, time);
      }
      // Counted here at once, so that `seen` is exact for the next caller of this turn; the library has the last word.
      const used = (window.used += points);
      const { resetAt } = window;
      const result = await limiter.consume(id, points);
      if (result.consumedPoints === used) return { used, resetAt };
      const told = {
        used: result.consumedPoints,
        resetAt: result.isFirstInDuration ? time + length : resetAt,
      };
      add(id, told, time);
      return { ...told };
    },
    seen(id) {
      const window = live(id, now());
      return window && { used: window.used, resetAt: window.resetAt };
    },
    reset: drop,
    restore(id, { used, resetAt }) {
      const time = now();
      const end = Math.min(resetAt, time + length);
      if (end <= time) return;
      add(id, { used, resetAt: end }, time);
      void limiter.set(id, used, (end - time) / 1_000);
    },
    ids: () => windows.keys(),
  };
}
