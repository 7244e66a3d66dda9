import MemoryStorage from "rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js";
import type { Count, Counted } from "./storage.ts";
import type { Runtime } from "../runtime.ts";

/** Counts in fixed windows, each starting with the first use of its id. */
export interface WindowCounter {
  /** Counts the points, unless the use would exceed `limit`. */
  consume(id: string, points: number, limit?: number): Counted;
  /** Returns the current window of an id without counting. */
  seen(id: string): Count | undefined;
  reset(id: string): void;
  /** Restores a window that was counted before a restart. */
  restore(id: string, count: Count): void;
  /** Ordered by start; some windows may be over. */
  ids(): Iterable<string>;
}

interface Window extends Count {
  /** The end by the clock that never goes back. */
  endsAt: number;
}

// Milliseconds by which two unadjusted clocks may differ: one is slewed by NTP and has a resolution of 1 ms.
const slewMs = 2_000;

/**
 * `capacity` bounds the memory (about 600 bytes a window). Beyond it the oldest window is dropped: an attacker with
 * many addresses gains nothing, because each has its own quota anyway, and a caller whose window is dropped only gets a
 * new one early.
 */
export function createWindowCounter(options: {
  seconds: number;
  capacity: number;
  runtime: Runtime;
}): WindowCounter {
  const { seconds, capacity, runtime } = options;
  const length = seconds * 1_000;
  // The part of the library's RateLimiterMemory that counts. The rest of it compares with a limit that all ids share, where
  // here each plan has its own, and answers by a promise, which costs a request more than counting.
  const counts = new MemoryStorage();
  // In the order in which the windows began, and so in which they end.
  const windows = new Map<string, Window>();

  /**
   * Returns the window unless it is over. A window ends by the wall clock, as announced to its caller, or by the clock
   * that never goes back, whichever comes first: setting the wall clock back must not prolong it.
   */
  function live(id: string, time: number): Window | undefined {
    const window = windows.get(id);
    if (window === undefined || window.resetAt <= time) return undefined;
    const left = Math.min(length, window.endsAt - runtime.monotonic());
    if (left <= 0) return undefined;
    if (window.resetAt > time + left + slewMs) window.resetAt = time + Math.ceil(left);
    return window;
  }

  function drop(id: string): void {
    windows.delete(id);
    counts.delete(id);
  }

  function add(id: string, { used, resetAt }: Count, time: number): Window {
    const steady = runtime.monotonic();
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
    consume(id, points, limit = Infinity) {
      const time = runtime.now();
      let window = live(id, time);
      const before = window?.used ?? 0;
      if (before + points > limit) return { allowed: false, used: before, resetAt: window?.resetAt ?? time };
      if (window === undefined) {
        drop(id);
        window = add(id, { used: 0, resetAt: time + length }, time);
      }
      window.used += points;
      const { used, resetAt } = window;
      const { consumedPoints, isFirstInDuration } = counts.incrby(id, points, seconds);
      if (consumedPoints === used) return { allowed: true, used, resetAt };
      // The library ends windows by the wall clock alone, and its count decides.
      const counted = { used: consumedPoints, resetAt: isFirstInDuration ? time + length : resetAt };
      add(id, counted, time);
      return { allowed: true, ...counted };
    },
    seen(id) {
      const window = live(id, runtime.now());
      return window && { used: window.used, resetAt: window.resetAt };
    },
    reset: drop,
    restore(id, { used, resetAt }) {
      const time = runtime.now();
      const end = Math.min(resetAt, time + length);
      if (end <= time) return;
      add(id, { used, resetAt: end }, time);
      counts.set(id, used, (end - time) / 1_000);
    },
    ids: () => windows.keys(),
  };
}
