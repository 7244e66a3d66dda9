/** Limits repeated messages: a store that is down fails a thousand times a second for the same reason. */
export interface Throttle {
  /** Reports whether the message may be logged again. */
  due(news: string): boolean;
}

const capacity = 100;

/**
 * @param everyMs Interval for equal messages; `monotonic` returns milliseconds of a clock that never goes
 * back.
 */
export function createThrottle(everyMs: number, monotonic: () => number): Throttle {
  const said = new Map<string, number>();
  return {
    due(news) {
      const time = monotonic();
      const before = said.get(news);
      if (before !== undefined && time - before < everyMs) return false;
      said.delete(news);
      if (said.size >= capacity) said.delete(said.keys().next().value as string);
      said.set(news, time);
      return true;
    },
  };
}
