/** Lets the same news through once in a while: a store that is down fails a thousand times a second with one reason. */
export interface Throttle {
  /** Whether it is time to say this again. */
  due(news: string): boolean;
}

const capacity = 100;

/** @param everyMs Of the same news; `monotonic` are milliseconds of a clock that never goes back. */
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
