import type { Runtime } from "../../runtime.ts";
import { StoreError } from "../errors.ts";
import { type Guard, TimeoutError } from "./guard.ts";
import type { HourLimiters } from "./hour-limiters.ts";
import type { KnownWindows } from "./known-windows.ts";

/** Counts in Redis what this node has let through without it, and gives back what Redis has counted for requests decided without it. */
export interface Debts {
  /** Settles what one window owes. Call it before the next count of the same id, so that both go in one packet. */
  settle(id: string): void;
  /** Settles what all windows owe, in steps. */
  settleAll(): Promise<void>;
}

/** Debts settled concurrently after an outage. */
const atOnce = 200;

export function createDebts(options: {
  windows: KnownWindows;
  limiters: Pick<HourLimiters, "consume" | "giveBack">;
  guard: Guard;
  /** Longest wait for an answer. */
  waitMs: number;
  runtime: Runtime;
}): Debts {
  const { windows, limiters, guard, waitMs, runtime } = options;

  function settle(id: string): void {
    const window = windows.live(id, runtime.now());
    if (window === undefined || window.alone === 0 || !guard.up) return;
    const debt = window.alone;
    window.alone = 0;
    let late = false;
    /** Counts the debt. A count whose answer is late may still be carried out, unless the connection ends first. */
    async function count(): Promise<unknown> {
      try {
        return await (debt > 0 ? limiters.consume(id, debt, Infinity, true) : limiters.giveBack(id, -debt));
      } catch (error) {
        if (late) owe(id, debt);
        throw error;
      }
    }
    guard.run("count", waitMs, count).catch((error: StoreError) => {
      if (isLate(error)) late = true;
      else owe(id, debt);
    });
  }

  /** Adds to what this node has let through uncounted in the window that is open. */
  function owe(id: string, debt: number): void {
    const window = windows.live(id, runtime.now());
    if (window !== undefined) window.alone += debt;
  }

  return {
    settle,
    async settleAll() {
      let sent = 0;
      for (const id of windows.owing()) {
        settle(id);
        sent += 1;
        if (sent % atOnce === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

const isLate = (error: unknown): boolean =>
  error instanceof StoreError && error.cause instanceof TimeoutError;
