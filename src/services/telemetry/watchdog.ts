import type { Principal } from "../../catalog/principal.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { createThrottle } from "../../lib/throttle.ts";
import type { Runtime } from "../../runtime.ts";

/** Reports stalls of the event loop, and the call that caused each. */
export interface Watchdog {
  /**
   * Names the call that the event loop works on, until the next call is named or this turn ends. `name` is the tool, if
   * one runs; otherwise the call's route is reported. `time` is the current time, if the caller has read it already.
   */
  enter(call: WatchedCall, name?: string, time?: number): void;
  start(): void;
  close(): void;
}

/** The call: an exchange, or the ticket of a tool. */
export interface WatchedCall {
  readonly requestId?: string;
  readonly route?: string;
  readonly ip?: string;
  readonly principal?: Principal | undefined;
}

export interface WatchdogDeps {
  log: Pick<Log, "event">;
  metrics: Pick<Metrics, "stall">;
  runtime: Runtime;
  /** Milliseconds of processor time used by this process; a suspended machine uses none. */
  cpu(): number;
}

/** Shortest stall to report, in milliseconds. */
const stallMs = 200;
/** Milliseconds between two readings of the clock. */
const tickMs = 100;
/** Milliseconds between two log lines about the same route or tool. */
const sameMs = 10_000;

/**
 * A timer measures its own delay. The cause is the longest section between two calls of `enter` since the last tick, if
 * it lasted at least half of the stall. This costs two clock reads for each call.
 */
export function createWatchdog({ log, metrics, runtime, cpu }: WatchdogDeps): Watchdog {
  const news = createThrottle(sameMs, runtime.monotonic);
  let timer: NodeJS.Timeout | undefined;
  let tickedAt = 0;
  let cpuAtTick = 0;
  let current: WatchedCall | undefined;
  let currentName = "";
  let enteredAt = 0;
  let isEnding = false;
  let longest: WatchedCall | undefined;
  let longestName = "";
  let longestMs = 0;

  function leave(time: number): void {
    if (current !== undefined && time - enteredAt > longestMs) {
      longest = current;
      longestName = currentName;
      longestMs = time - enteredAt;
    }
    current = undefined;
  }

  function endTurn(): void {
    isEnding = false;
    leave(runtime.monotonic());
  }

  function tick(): void {
    const time = runtime.monotonic();
    leave(time);
    const stood = time - tickedAt - tickMs;
    const used = cpu();
    if (stood >= stallMs) report(stood, used - cpuAtTick);
    tickedAt = time;
    cpuAtTick = used;
    longest = undefined;
    longestMs = 0;
  }

  function report(stood: number, cpuMs: number): void {
    const isKnown = longest !== undefined && longestMs * 2 >= stood;
    // This process did not run: the machine was suspended, or other programs used its processors.
    if (!isKnown && cpuMs * 2 < stood) return;
    const call = isKnown ? longest : undefined;
    const during = call === undefined ? "other" : longestName || call.route || "other";
    metrics.stall(during, stood / 1000);
    if (!news.due(during)) return;
    const { requestId, principal, ip } = call ?? {};
    log.event("warn", "event loop stalled", {
      during,
      stoodMs: Math.round(stood),
      cpuMs: Math.round(cpuMs),
      requestId,
      ip: principal?.ip ?? ip,
      account: principal?.account,
      keyId: principal?.keyId,
      sessionId: principal?.sessionId,
    });
  }

  return {
    enter(call, name = "", time = runtime.monotonic()) {
      leave(time);
      current = call;
      currentName = name;
      enteredAt = time;
      if (isEnding) return;
      isEnding = true;
      setImmediate(endTurn);
    },
    start() {
      tickedAt = runtime.monotonic();
      cpuAtTick = cpu();
      timer ??= setInterval(tick, tickMs).unref();
    },
    close() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
