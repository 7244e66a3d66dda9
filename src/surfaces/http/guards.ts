import { createLoopShare, type LoopShare } from "../../catalog/loop-share.ts";
import { createProxyTest } from "../../services/access/client-ip.ts";
import type { Metrics } from "../../services/telemetry/metrics.ts";
import type { Config } from "../../options.ts";
import { type ConnectionSettings, maxConnectionsOf } from "../../services/access/max-connections.ts";
import { createThrottle } from "../../lib/throttle.ts";
import { createWatchdog, type Watchdog, type WatchdogDeps } from "../../services/telemetry/watchdog.ts";
import { createConnectionLimits, type ConnectionLimits } from "./connection-limits.ts";

/** Limits that keep one caller from occupying the event loop or the connections. */
export interface Guards {
  readonly loop: LoopShare;
  readonly watchdog: Watchdog;
  readonly connectionLimits: ConnectionLimits;
}

export interface GuardsDeps extends WatchdogDeps {
  metrics: Pick<Metrics, "stall" | "connectionClosed">;
}

/** Milliseconds of a turn of the event loop after which further work waits for the next turn. */
const turnMs = 10;

export function createGuards(
  config: Pick<Config, "server"> & ConnectionSettings,
  { log, metrics, runtime, cpu }: GuardsDeps,
): Guards {
  const news = createThrottle(10_000, runtime.monotonic);
  return {
    loop: createLoopShare(runtime.monotonic, turnMs),
    watchdog: createWatchdog({ log, metrics, runtime, cpu }),
    connectionLimits: createConnectionLimits({
      max: maxConnectionsOf(config),
      perAddress: config.server.connectionsPerAddress,
      isProxy: createProxyTest(config.server.trustedProxies),
      runtime,
      onClosed(reason, ip) {
        metrics.connectionClosed(reason);
        if (news.due(reason)) log.event("warn", closed[reason], { ip });
      },
    }),
  };
}

const closed = {
  idle: "idle connections are closed to make room for others",
  refused: "connections are refused: every open connection is busy",
} as const;
