import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Registry } from "prom-client";
import type { Histogram } from "./histogram.ts";
import {
  requestLabels,
  type Counts,
  type MetricsOptions,
  type Numbers,
  type WebhookStatus,
  type OperationSurface,
  operationSurfaces,
} from "./numbers.ts";

export interface Exposition {
  render(): Promise<{ type: string; body: string }>;
}

/** Milliseconds between two samples of the event loop's delay. */
const resolution = 10;

type Labels = Record<string, string | number>;
type Value = { labels: Labels; value: number; metricName?: string };

/** Registers metrics, each with a function that reads its values at a scrape. */
interface Registrar {
  counter(name: string, help: string, read: () => Value[]): void;
  gauge(name: string, help: string, read: () => Value[]): void;
  histogram(name: string, help: string, from: Map<string, Histogram>, label: string): void;
}

/** Registers all metrics with prom-client. */
export async function openExposition(numbers: Numbers, options: MetricsOptions): Promise<Exposition> {
  const { Registry, collectDefaultMetrics } = await options.load();
  const registry = new Registry();
  const registrar = createRegistrar(registry);
  // Read once for each scrape, because it queries the store.
  let waiting: WebhookStatus | undefined;
  registerCounts(registrar, numbers);
  registerState(registrar, options, () => waiting);
  registerLoopDelay(registrar);
  collectDefaultMetrics({ register: registry });

  return {
    async render() {
      waiting = await options.webhooks?.();
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
}

/**
 * The counters and histograms of prom-client are not used: a metric is anything with a `get`, and ours read the current
 * numbers at the scrape.
 */
function createRegistrar(registry: Registry): Registrar {
  const register = (
    name: string,
    help: string,
    type: "counter" | "gauge" | "histogram",
    read: () => Value[],
  ): void => {
    const get = () => Promise.resolve({ name, help, type, aggregator: "sum", values: read() });
    registry.registerMetric({ name, help, type, aggregator: "sum", get, reset: () => {} } as never);
  };
  return {
    counter: (name, help, read) => register(name, help, "counter", read),
    gauge: (name, help, read) => register(name, help, "gauge", read),
    histogram: (name, help, from, label) =>
      register(name, help, "histogram", () =>
        [...from].flatMap(([value, one]) => toValues(name, { [label]: value }, one)),
      ),
  };
}

/** Registers what the server has counted and measured since its start. */
function registerCounts({ counter, histogram }: Registrar, numbers: Numbers): void {
  counter("penknife_http_requests_total", "Requests answered.", () =>
    [...numbers.requests].flatMap(([route, group]) =>
      [...group].map(([number, value]) => {
        const { method, status } = requestLabels(number);
        return { labels: { method, route, status }, value };
      }),
    ),
  );
  histogram(
    "penknife_http_request_duration_seconds",
    "Time from the headers of a request to the end of its answer.",
    numbers.requestSeconds,
    "route",
  );
  counter("penknife_tool_runs_total", "Runs of tools over all surfaces.", () =>
    pairs(numbers.runs, "tool", "outcome"),
  );
  histogram(
    "penknife_tool_duration_seconds",
    "Time of a run, including the wait for a worker.",
    numbers.runSeconds,
    "tool",
  );
  counter("penknife_limit_decisions_total", "Requests counted or refused.", () =>
    pairs(numbers.limits, "plan", "decision"),
  );
  counter(
    "penknife_limit_degraded_total",
    "Decisions about a quota made while the store did not answer.",
    () => singles(numbers.degraded, "mode"),
  );
  counter("penknife_auth_total", "Credentials authenticated or refused.", () =>
    singles(numbers.auth, "result"),
  );
  counter("penknife_storage_errors_total", "Faults of the store.", () =>
    singles(numbers.storageErrors, "operation"),
  );
  counter("penknife_worker_events_total", "Workers started, ended and failed.", () =>
    pairs(numbers.workers, "place", "event"),
  );
  counter("penknife_webhook_events_total", "Events accepted for delivery.", () =>
    singles(numbers.webhookEvents, "type"),
  );
  counter("penknife_webhook_attempts_total", "Attempts to deliver an event to an endpoint.", () =>
    singles(numbers.webhookAttempts, "outcome"),
  );
  for (const surface of surfaces) {
    const help = `Operations of ${operationSurfaces[surface]}, by kind and first error.`;
    counter(`penknife_${surface}_operations_total`, help, () =>
      pairs(numbers.operations[surface], "operation", "outcome"),
    );
  }
  histogram(
    "penknife_event_loop_stall_seconds",
    "Stalls of the event loop of 200 ms or longer, by tool or route.",
    numbers.stalls,
    "during",
  );
  counter("penknife_connections_closed_total", "Connections closed for lack of room.", () =>
    singles(numbers.connectionsClosed, "reason"),
  );
}

/** Registers the state of the server, as it is at a scrape. */
function registerState(
  { counter, gauge }: Registrar,
  options: MetricsOptions,
  waiting: () => WebhookStatus | undefined,
): void {
  const { pool, store, disk, unwritten, inFlight, logDropped, webhooks, connections, version, commit } =
    options;
  if (webhooks !== undefined) {
    gauge("penknife_webhook_queue_depth", "Deliveries waiting or in progress, on all nodes.", () =>
      ofStore(waiting(), ({ deliveries }) => deliveries),
    );
    gauge("penknife_webhook_oldest_seconds", "Age of the oldest waiting delivery.", () =>
      ofStore(waiting(), ({ oldestSeconds }) => oldestSeconds),
    );
    gauge("penknife_webhook_late_seconds", "Time since the oldest deliverable delivery was due.", () =>
      ofStore(waiting(), ({ lateSeconds }) => lateSeconds),
    );
  }
  if (pool !== undefined) {
    gauge(
      "penknife_worker_threads",
      "Worker threads by state; limit is the most busy threads and processes together.",
      () => byState({ limit: pool().size, ...pool().threads }),
    );
    gauge("penknife_worker_processes", "Worker processes by state.", () => byState({ ...pool().processes }));
    gauge("penknife_worker_queue_calls", "Calls waiting for a worker.", () => [
      { labels: {}, value: pool().queued },
    ]);
    gauge("penknife_worker_queue_bytes", "Bytes of bodies waiting for a worker.", () => [
      { labels: {}, value: pool().queuedBytes },
    ]);
  }
  if (store !== undefined) {
    gauge("penknife_store_up", "Whether the store that nodes share answers.", () =>
      ofStore(store(), ({ up }) => (up ? 1 : 0)),
    );
    gauge("penknife_nodes", "Nodes that share the store, including this one, as last seen.", () =>
      ofStore(store(), ({ nodes }) => nodes),
    );
  }
  if (disk !== undefined) {
    gauge("penknife_storage_free_bytes", "Free bytes on the disk of the store.", () =>
      ofStore(disk(), ({ freeBytes }) => freeBytes),
    );
    gauge("penknife_storage_low", "Whether bulk data is refused for lack of space on that disk.", () =>
      ofStore(disk(), ({ shortage }) => (shortage === undefined ? 0 : 1)),
    );
  }
  if (unwritten !== undefined) {
    gauge("penknife_storage_unwritten_revocations", "Revocations in effect in memory only.", () => [
      { labels: {}, value: unwritten() },
    ]);
  }
  if (inFlight !== undefined) {
    gauge("penknife_http_requests_in_flight", "Requests being served.", () => [
      { labels: {}, value: inFlight() },
    ]);
  }
  if (connections !== undefined) {
    for (const surface of surfaces) {
      const open = connections[surface];
      if (open === undefined) continue;
      const help = `Open WebSockets and event streams of ${operationSurfaces[surface]}.`;
      gauge(`penknife_${surface}_connections`, help, () => [{ labels: {}, value: open() }]);
    }
  }
  if (logDropped !== undefined) {
    counter(
      "penknife_log_lines_dropped_total",
      "Log lines dropped because their reader was too slow.",
      () => [{ labels: {}, value: logDropped() }],
    );
  }
  gauge("penknife_build_info", "Always 1; the labels describe the running build.", () => [
    { labels: { version, commit }, value: 1 },
  ]);
}

function registerLoopDelay({ gauge }: Registrar): void {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  gauge("penknife_event_loop_delay_seconds", "Delay of the event loop since the last scrape.", () => {
    // The recorded value is the time between two ticks of a timer, so the interval of the timer is subtracted.
    const toSeconds = (nanoseconds: number): number =>
      delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - resolution / 1000);
    const values = [0.5, 0.99].map((quantile) => ({
      labels: { quantile },
      value: toSeconds(delay.percentile(quantile * 100)),
    }));
    values.push({ labels: { quantile: 1 }, value: toSeconds(delay.max) });
    delay.reset();
    return values;
  });
}

const surfaces = Object.keys(operationSurfaces) as OperationSurface[];

const ofStore = <Status>(status: Status | undefined, read: (status: Status) => number): Value[] =>
  status === undefined ? [] : [{ labels: {}, value: read(status) }];

const singles = (counts: Map<string, number>, label: string): Value[] =>
  [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }));

const pairs = (counts: Counts, outer: string, inner: string): Value[] =>
  [...counts].flatMap(([name, group]) =>
    [...group].map(([own, value]) => ({ labels: { [outer]: name, [inner]: own }, value })),
  );

const byState = (counts: Record<string, number>): Value[] =>
  Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));

function toValues(name: string, labels: Labels, histogram: Histogram): Value[] {
  const { buckets, sum, count } = histogram.read();
  return [
    ...buckets.map(({ le, count: below }) => ({
      labels: { ...labels, le },
      value: below,
      metricName: `${name}_bucket`,
    })),
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}
