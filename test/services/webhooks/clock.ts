import { setImmediate as turn } from "node:timers/promises";
import type { Wait } from "../../../src/services/webhooks/alarm.ts";

/** Time that passes when the test says so. */
export interface Clock {
  now(): number;
  wait: Wait;
  /** Lets this much time pass: what is due in it happens at its time and in its order. */
  pass(ms: number): Promise<void>;
  /** Until nothing happens any more without time passing. */
  rest(): Promise<void>;
  /** From one moment in which something is due to the next, until `done`; no time passes while `busy`. */
  leap(done: () => Promise<boolean>, busy: () => boolean): Promise<void>;
}

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Turns of the event loop in which everything in memory that was begun comes to its end. */
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
        if (next === undefined) throw new Error("nobody waits for anything");
        timers.delete(next);
        time = Math.max(time, next.at);
        next.work();
        // What was begun is done in the next turn, or says that it is not.
        await turn();
        while (busy()) await turn();
      }
    },
  };
}
