import { commit, version } from "../build-info.ts";
import { ToolError } from "../catalog/errors.ts";
import { load } from "../lib/load.ts";
import { createTurnClock } from "../lib/turn-clock.ts";
import type { Config } from "../options.ts";
import type { Runtime } from "../runtime.ts";
import { type Log, openLog } from "../services/telemetry/log.ts";
import { createMetrics, type Metrics } from "../services/telemetry/metrics.ts";
import type { MetricsOptions } from "../services/telemetry/numbers.ts";
import { describeFault } from "../surfaces/http/fault.ts";
import { createGuards, type Guards } from "../surfaces/http/guards.ts";
import type { AppDeps } from "./deps.ts";

/** The log, the metrics and the clocks of a server, and what watches its event loop and its connections. */
export interface Telemetry extends Guards {
  log: Log;
  metrics: Metrics;
  /** The runtime of the process; bugs are logged. */
  runtime: Runtime;
  /** The same with clocks that stand still within a turn of the event loop, for the path of every request. */
  inTurn: Runtime;
  /** The same, but the clock that never goes back is read each time, to measure. */
  reading: Runtime;
  /** Logs an uncaught error with its stack. */
  logFault(error: unknown): void;
}

/** @param gauges Called at each scrape; they read parts that are created later. */
export function openTelemetry(
  config: Config,
  deps: AppDeps,
  gauges: Omit<MetricsOptions, "version" | "commit" | "load" | "logDropped">,
): Telemetry {
  const runtime: Runtime = { ...deps.runtime, report: logFault };
  const { now, monotonic, read } = createTurnClock(runtime);
  const inTurn: Runtime = { ...runtime, now, monotonic };
  const reading: Runtime = { ...inTurn, monotonic: read };
  const log = openLog(config.log, { runtime: inTurn, write: deps.writeLog, isTTY: deps.logIsTTY });
  const metrics = createMetrics({
    ...gauges,
    version,
    commit,
    load: () => load("prom-client"),
    logDropped: log.dropped,
  });

  function logFault(error: unknown): void {
    // A fault that the operator can mend, such as an unreadable certificate, is logged without a stack.
    if (error instanceof ToolError) return log.event("error", error.message);
    log.event("error", "internal error", { error: describeFault(error) });
    log.flush();
  }

  const guards = createGuards(config, { cpu: deps.cpu, runtime: reading, log, metrics });
  return { ...guards, log, metrics, runtime, inTurn, reading, logFault };
}
