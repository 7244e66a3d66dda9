import type { RunResult } from "../../catalog/run.ts";
import { createHistogram, type Histogram } from "./histogram.ts";
import { lazy } from "../../lib/lazy.ts";
import { requestNumber, type MetricsOptions, type Numbers, type OperationSurface } from "./numbers.ts";

/**
 * Counts into plain numbers on every request; prom-client would cost 26 ms of start and microseconds for each label
 * set, and only renders at a scrape. Labels come from closed lists: never an address, key, account or free text.
 */
export interface Metrics {
  /** `route` is the template of the matched route. */
  request(method: string, route: string, status: number, seconds: number): void;
  run(result: Pick<RunResult, "slug" | "outcome" | "duration">): void;
  limit(plan: string, decision: "allowed" | "refused", requests?: number): void;
  /** "ok", "anonymous" or the code of the refusal. */
  auth(result: string): void;
  /** Counts a decision about a quota that was made without the store; `mode` is `limits.onStoreError`. */
  degraded(mode: string): void;
  storageError(operation: string): void;
  worker(place: string, event: string): void;
  webhookAttempt(outcome: string): void;
  /** Counts an event that was stored. */
  webhookEvent(type: string): void;
  /**
   * Counts an operation of a surface whose path does not say what is done. `kind` is from a closed list, "none" for a
   * request that was refused before its kind was known; `outcome` is "ok", "cancelled" or the code of the first error.
   */
  operation(surface: OperationSurface, kind: string, outcome: string): void;
  /** Records a stall of the event loop; `during` is the route or tool that caused it. */
  stall(during: string, seconds: number): void;
  /** Counts a connection that was closed for lack of room: "idle", "refused" or "flood". */
  connectionClosed(reason: string): void;
  /** Returns the text format of Prometheus. */
  render(): Promise<{ type: string; body: string }>;
}

export function createMetrics(options: MetricsOptions): Metrics {
  const numbers: Numbers = {
    requests: new Map(),
    requestSeconds: new Map(),
    runs: new Map(),
    runSeconds: new Map(),
    limits: new Map(),
    auth: new Map(),
    degraded: new Map(),
    storageErrors: new Map(),
    workers: new Map(),
    webhookAttempts: new Map(),
    webhookEvents: new Map(),
    operations: { graphql: new Map(), mcp: new Map() },
    stalls: new Map(),
    connectionsClosed: new Map(),
  };
  const exposition = lazy(async () => {
    const { openExposition } = await import("./exposition.ts");
    return openExposition(numbers, options);
  });

  return {
    request(method, route, status, seconds) {
      add(within(numbers.requests, route), requestNumber(method, status));
      histogramOf(numbers.requestSeconds, route).observe(seconds);
    },
    run({ slug, outcome, duration }) {
      add(within(numbers.runs, slug), outcome);
      histogramOf(numbers.runSeconds, slug).observe(duration / 1000);
    },
    limit: (plan, decision, requests = 1) => add(within(numbers.limits, plan), decision, requests),
    auth: (result) => add(numbers.auth, result),
    degraded: (mode) => add(numbers.degraded, mode),
    storageError: (operation) => add(numbers.storageErrors, operation),
    worker: (place, event) => add(within(numbers.workers, place), event),
    webhookAttempt: (outcome) => add(numbers.webhookAttempts, outcome),
    webhookEvent: (type) => add(numbers.webhookEvents, type),
    operation: (surface, kind, outcome) => add(within(numbers.operations[surface], kind), outcome),
    stall: (during, seconds) => histogramOf(numbers.stalls, during).observe(seconds),
    connectionClosed: (reason) => add(numbers.connectionsClosed, reason),
    render: async () => (await exposition()).render(),
  };
}

function add<Key>(counts: Map<Key, number>, key: Key, number = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + number);
}

function within<Key>(groups: Map<string, Map<Key, number>>, name: string): Map<Key, number> {
  let group = groups.get(name);
  if (group === undefined) {
    group = new Map();
    groups.set(name, group);
  }
  return group;
}

function histogramOf(histograms: Map<string, Histogram>, label: string): Histogram {
  let histogram = histograms.get(label);
  if (histogram === undefined) {
    histogram = createHistogram();
    histograms.set(label, histogram);
  }
  return histogram;
}
