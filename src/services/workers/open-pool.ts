import { workerCommand, workerSource } from "../../lib/load.ts";
import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { PoolEvent } from "./crew.ts";
import type { Limits } from "./limits.ts";
import { createPool, type Pool } from "./pool.ts";
import type { Runtime } from "../../runtime.ts";

export interface ServerPoolDeps {
  runtime: Runtime;
  log: Pick<Log, "event">;
  metrics: Pick<Metrics, "worker">;
  /** Formats an error for the log. */
  describe(error: unknown): string;
}

/** Reasons of ends that a caller or the machine has caused. */
const caused = new Set(["abort", "killed"]);

/** Opens the pool of a server, which reports to metrics and log. */
export function openPool(size: number, { deadlineMs, memoryMb }: Limits, deps: ServerPoolDeps): Pool {
  return createPool({
    source: workerSource(),
    process: workerCommand(memoryMb),
    size,
    deadlineMs,
    memoryMb,
    runtime: deps.runtime,
    onEvent: (event) => report(event, deps),
  });
}

function report(event: PoolEvent, { log, metrics, describe }: ServerPoolDeps): void {
  const { place } = event;
  metrics.worker(place, event.kind === "ended" ? event.reason : event.kind);
  if (event.kind === "failed_to_start" || (event.kind === "ended" && event.reason === "crash")) {
    log.event("error", "a worker failed", { place, error: describe(event.error) });
  } else if (event.kind === "ended" && caused.has(event.reason)) {
    log.event("warn", "a worker was ended by its call or by the machine", {
      place,
      reason: event.reason,
      error: (event.error as Error).message,
    });
  }
}
