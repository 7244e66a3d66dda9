import { randomFillSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../../../src/app.ts";
import { errorCodes } from "../../../../src/catalog/errors.ts";
import type { RunResult } from "../../../../src/catalog/run.ts";
import { loadConfig } from "../../../../src/config.ts";
import { createMetrics } from "../../../../src/services/telemetry/metrics.ts";
import type { Attempt } from "../../../../src/storage/deliveries/delivery-queue.ts";
import type { StoreOperation } from "../../../../src/storage/errors.ts";
import type { OnStoreError } from "../../../../src/storage/storage.ts";
import type { PoolEvent } from "../../../../src/services/workers/crew.ts";
import type { WorkerEnd } from "../../../../src/services/workers/limits.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** By the name of a metric, the values of each of its labels. */
export type Scraped = Map<string, Map<string, Set<string>>>;

/** Names and labels of the text format (version 0.0.4); a metric that has no sample yet is there by its type. */
export function readScrape(text: string): Scraped {
  const found: Scraped = new Map();
  for (const line of text.split("\n")) {
    const [, family, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    const names =
      type === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => `${family}${end}`) : [family];
    const [, sample, labels = ""] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    for (const name of [...names, sample])
      if (name !== undefined && !found.has(name)) found.set(name, new Map());
    if (sample === undefined) continue;
    for (const [, label = "", value = ""] of labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)) {
      const values = found.get(sample)?.get(label) ?? new Set();
      found.get(sample)?.set(label, values.add(value));
    }
  }
  return found;
}

/** Returns the metrics of a server that was just started, and called twice. */
export async function scrapeServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "penknife-scrape-"));
  const env = { PENKNIFE_SERVER_PORT: "0", PENKNIFE_STORAGE_PATH: folder, PENKNIFE_LOG_LEVEL: "silent" };
  const { config } = await loadConfig({ env, readText: () => undefined, slugs: async () => [] });
  const app = await createApp(config, {
    runtime: testRuntime({
      now: () => Date.now(),
      monotonic: () => performance.now(),
      random: (size) => randomFillSync(new Uint8Array(size)),
    }),
    pid: process.pid,
    processors: 2,
    cpu: () => 0,
    writeLog: () => undefined,
    logIsTTY: false,
    installation: { options: async () => [], examine: async () => [] },
  });
  const listener = await app.listen();
  try {
    for (const accept of ["text/plain", "application/json"]) {
      const headers = { "Content-Type": "text/plain", Accept: accept };
      await fetch(`${listener.url}/api/tools/json-formatter`, { method: "POST", headers, body: "{}" });
    }
    return await (await fetch(`${listener.url}/metrics`)).text();
  } finally {
    await listener.close(1000);
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The same metrics with every value that a label can have, which no short run of a server would show. The compiler checks the lists
 * against the types that the values come from.
 */
export async function scrapeEverything(): Promise<string> {
  const metrics = createMetrics({
    version: "1.0.0",
    commit: "abc",
    load: () => import("prom-client"),
    pool: () => ({
      size: 2,
      threads: { starting: 0, idle: 1, busy: 1 },
      processes: { starting: 0, idle: 1, busy: 0 },
      queued: 0,
      queuedBytes: 0,
    }),
    store: () => ({ up: true, nodes: 3 }),
    inFlight: () => 1,
    logDropped: () => 0,
    connections: { graphql: () => 1 },
    webhooks: async () => ({ deliveries: 2, oldestSeconds: 3, lateSeconds: 0 }),
  });
  const codes = Object.keys(errorCodes) as (keyof typeof errorCodes)[];
  for (const { status } of [{ status: 200 }, ...Object.values(errorCodes)]) {
    metrics.request("POST", "/api/tools/:slug", status, 0.01);
  }
  for (const outcome of ["ok", "cancelled", ...codes] satisfies RunResult["outcome"][]) {
    metrics.run({ slug: "json-formatter", outcome, duration: 1 });
  }
  for (const result of ["ok", "anonymous", ...codes]) metrics.auth(result);
  for (const plan of ["free", "pro", "team"]) {
    metrics.limit(plan, "allowed");
    metrics.limit(plan, "refused");
  }
  for (const mode of namesOf(modes)) metrics.degraded(mode);
  for (const operation of namesOf(operations)) metrics.storageError(operation);
  for (const event of namesOf(events))
    for (const place of ["thread", "process"]) metrics.worker(place, event);
  for (const outcome of namesOf(outcomes)) metrics.webhookAttempt(outcome);
  metrics.webhookEvent("webhook.test");
  metrics.operation("graphql", "query", "ok");
  return (await metrics.render()).body;
}

const namesOf = (table: object): string[] => Object.keys(table);

const modes: Record<OnStoreError, true> = { share: true, open: true, closed: true };
const events: Record<WorkerEnd | Exclude<PoolEvent["kind"], "ended">, true> = {
  started: true,
  failed_to_start: true,
  deadline: true,
  memory: true,
  abort: true,
  killed: true,
  abandoned: true,
  crash: true,
  closed: true,
};
const outcomes: Record<Attempt["outcome"], true> = { ok: true, retry: true, refused: true };
const operations: Record<StoreOperation, true> = {
  open: true,
  lock: true,
  read: true,
  write: true,
  count: true,
  journal: true,
  sync: true,
  compact: true,
  check: true,
  socket: true,
};
