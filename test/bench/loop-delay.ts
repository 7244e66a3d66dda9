import { monitorEventLoopDelay } from "node:perf_hooks";

/** The delay of the main thread's event loop since the previous reading, in milliseconds, as penknife reports it. */
export interface LoopDelay {
  p99: number;
  max: number;
}

const metric = "penknife_event_loop_delay_seconds";

/** Reads /metrics; NaN if the metric is missing. */
export async function readLoopDelay(origin: string): Promise<LoopDelay> {
  const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(20_000) });
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith(metric));
  const value = (pattern: RegExp): number => {
    const line = lines.find((candidate) => pattern.test(candidate));
    return line === undefined ? Number.NaN : Number(line.slice(line.lastIndexOf(" ") + 1)) * 1000;
  };
  return { p99: value(/"(?:0\.99|p99)"/), max: value(/"(?:1|max)"/) };
}

/** The delay of this process's own event loop, which is nearly idle: the share of the machine alone. */
export function watchOwnLoop(): { stop(): LoopDelay } {
  const resolution = 10;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  return {
    stop() {
      delay.disable();
      // The histogram holds the time between two ticks of its timer, not their delay.
      const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);
      return { p99: late(delay.percentile(99)), max: late(delay.max) };
    },
  };
}
