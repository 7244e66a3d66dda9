import { setTimeout as sleep } from "node:timers/promises";
import type { Fleet } from "../system/e2e/fleet.ts";

/** The number of requests that each server may have let through without Redis and not yet reported to it. */
export interface Debts {
  /** The debt of one server at this moment. */
  of(at: number): Promise<number>;
  /** The debts of all servers together, as last seen. */
  inAll(): number;
  /** Another process has taken the place of a server. */
  forget(at: number): void;
  stop(): Promise<void>;
}

interface Debt {
  /** `penknife_limit_degraded_total`, as last seen. */
  alone: number;
  /** Its value when everything in it had been reported. */
  reported: number;
  /** When a server with a Redis that answers had this value for the first time. */
  since: number | undefined;
}

/** A server reports its debts in the turn of its event loop in which Redis answers again. */
const quietMs = 500;

/**
 * Looks at the metrics of every server again and again, every `lookMs`. Its debt is what it has let through alone since the last time when
 * Redis answered it and nothing was let through alone for half a second.
 */
export function watchDebts(fleet: Fleet, lookMs: number): Debts {
  const debts = new Map<number, Debt>();
  const debtOf = (at: number): Debt => {
    const debt = debts.get(at) ?? { alone: 0, reported: 0, since: undefined };
    debts.set(at, debt);
    return debt;
  };
  let going = true;

  async function look(at: number): Promise<void> {
    const debt = debtOf(at);
    const text = await fleet.get(at, "/metrics").then(
      (reply) => reply.text,
      () => undefined,
    );
    // It has been replaced since.
    if (text === undefined || debts.get(at) !== debt) return;
    const alone = valueOf(text, "penknife_limit_degraded_total");
    const time = performance.now();
    if (valueOf(text, "penknife_store_up") !== 1 || alone !== debt.alone) debt.since = undefined;
    else debt.since ??= time;
    if (debt.since !== undefined && time - debt.since > quietMs) debt.reported = alone;
    debt.alone = alone;
  }

  const watching = fleet.servers.map(async (_, at) => {
    while (going) {
      await look(at);
      await sleep(lookMs);
    }
  });

  return {
    async of(at) {
      await look(at);
      const { alone, reported } = debtOf(at);
      return alone - reported;
    },
    inAll: () => [...debts.values()].reduce((sum, { alone, reported }) => sum + alone - reported, 0),
    forget: (at) => void debts.delete(at),
    async stop() {
      going = false;
      await Promise.all(watching);
    },
  };
}

/** The sum of the samples of a metric. */
function valueOf(text: string, name: string): number {
  const samples = text
    .split("\n")
    .filter((line) => line.startsWith(name) && /^[ {]/.test(line.slice(name.length)));
  return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}
