import { setImmediate as turn } from "node:timers/promises";
import type { Wait } from "../../../../src/services/webhooks/alarm.ts";

/** A clock that the test advances. */
export interface Clock {
  now(): number;
  wait: Wait;
  /** Advances the clock: timers fire at their time and in order. */
  pass(ms: number): Promise<void>;
  /** Resolves when nothing happens any more unless time passes. */
  rest(): Promise<void>;
  /** Advances from one due timer to the next until `done`; the clock stands still while `busy`. */
  leap(done: () => Promise<boolean>, busy: () => boolean): Promise<void>;
}

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Turns of the event loop in which all pending work in memory completes. */
const turns = 12;

export function createClock(start = Date.parse("2026-11-21T12:00:00.000Z")): Clock {
  let time = start;
  const timers = new Set<{ at: number; work: () => void }>();

  async function rest(): Promise<void> {
    for (let round = 0; round < turns; round++) await turn();
  }

  return {
    now: () => time,
    wait(ms, work) {
      const timer = { at: time + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    rest,
    async pass(ms) {
      const until = time + ms;
      await rest();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        time = Math.max(time, next.at);
        next.work();
        await rest();
      }
      time = until;
    },
    async leap(done, busy) {
      while (!(await done())) {
        const [next] = [...timers].toSorted((a, b) => a.at - b.at);
        if (next === undefined) throw new Error("no timer is set");
        timers.delete(next);
        time = Math.max(time, next.at);
        next.work();
        // Pending work completes in the next turn, or reports that it is not done.
        await turn();
        while (busy()) await turn();
      }
    },
  };
}
