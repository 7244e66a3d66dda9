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

interface Window extends Count {
  /** Its end by the clock that never goes back. */
  endsAt: number;
}

// Milliseconds by which two clocks may differ that were not set: one is slewed by NTP and read in whole ones.
const slewMs = 2_000;

/**
 * `capacity` bounds the memory (about 600 bytes a window). Beyond it the oldest window is dropped: an attacker
 * with a great many addresses gains nothing by it, because each of them has a quota of its own anyway, and the
 * caller whose window is dropped only gets a new one early.
 */
export function createWindowCounter(options: {
  seconds: number;
  capacity: number;
  now: () => number;
  /** Milliseconds of a clock that never goes back. */
  monotonic?: () => number;
}): WindowCounter {
  const { seconds, capacity, now, monotonic = now } = options;
  const length = seconds * 1_000;
  // The limit is compared by the caller, so that one limiter serves every plan and a new limit applies within
  // the window. It must be finite, and it is never reached: whatever this rejects with is a fault.
  const limiter = new RateLimiterMemory({ points: 1e15, duration: seconds });
  // In the order in which the windows began, hence in which they end.
  const windows = new Map<string, Window>();

  /**
   * A window ends by the wall clock, as its caller was told, or by the clock that never goes back, whichever comes
   * first: a wall clock that is set back must not make it longer than it was promised, and it is told by the new time.
   */
  function live(id: string, time: number): Window | undefined {
    const window = windows.get(id);
    if (window === undefined || window.resetAt <= time) return undefined;
    const left = Math.min(length, window.endsAt - monotonic());
    if (left <= 0) return undefined;
    if (window.resetAt > time + left + slewMs) window.resetAt = time + Math.ceil(left);
    return window;
  }

  function drop(id: string): void {
    windows.delete(id);
    void limiter.delete(id);
  }

  function add(id: string, { used, resetAt }: Count, time: number): Window {
    const steady = monotonic();
    windows.delete(id);
    for (const [oldest, window] of windows) {
      if (window.resetAt > time && window.endsAt > steady && windows.size < capacity) break;
      drop(oldest);
    }
    const window = { used, resetAt, endsAt: steady + resetAt - time };
    windows.set(id, window);
    return window;
  }

  return {
    async consume(id, points) {
      const time = now();
      let window = live(id, time);
      if (window === undefined) {
        drop(id);
        window = add(id, { used: 0, resetAt: time + length }, time);
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
      return told;
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
