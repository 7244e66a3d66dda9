import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { PoolEvent } from "./crew.ts";

export interface PoolNewsDeps {
  log: Pick<Log, "event">;
  metrics: Pick<Metrics, "worker">;
  /** An error as the log shows it. */
  describe(error: unknown): string;
}

/** Ends of workers that are a caller's doing, or the machine's. */
const caused = new Set(["abort", "killed"]);

/** Counts what happens to workers, and logs what an operator should know. */
export function createPoolNews({ log, metrics, describe }: PoolNewsDeps): (event: PoolEvent) => void {
  return (event) => {
    const { place } = event;
    metrics.worker(place, event.kind === "ended" ? event.reason : event.kind);
    if (event.kind === "failed_to_start" || (event.kind === "ended" && event.reason === "crash")) {
      log.event("error", "a worker failed", { place, error: describe(event.error) });
    } else if (event.kind === "ended" && caused.has(event.reason)) {
      const { message } = event.error as Error;
      log.event("warn", "a worker was ended by its call or by the machine", {
        place,
        reason: event.reason,
        message,
      });
    }
  };
}
