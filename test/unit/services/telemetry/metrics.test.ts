import { expect, test } from "vitest";
import { createMetrics } from "../../../../src/services/telemetry/metrics.ts";
import { createHistogram } from "../../../../src/services/telemetry/histogram.ts";

function open() {
  let loads = 0;
  const metrics = createMetrics({
    version: "1.0.0",
    commit: "abc",
    load: () => {
      loads++;
      return import("prom-client");
    },
  });
  return { metrics, loads: () => loads };
}

test("counting loads nothing; scraping loads once", async () => {
  const { metrics, loads } = open();
  metrics.request("GET", "/healthz", 200, 0.001);
  metrics.auth("ok");
  expect(loads()).toBe(0);
  await Promise.all([metrics.render(), metrics.render()]);
  await metrics.render();
  expect(loads()).toBe(1);
});

test("a histogram is cumulative and ends with the total", () => {
  const histogram = createHistogram();
  for (const seconds of [0.0001, 0.0005, 0.002, 3, 100]) histogram.observe(seconds);
  const { buckets, sum, count } = histogram.read();
  expect(count).toBe(5);
  expect(sum).toBeCloseTo(103.0026);
  expect(buckets.find(({ le }) => le === 0.0005)?.count).toBe(2);
  expect(buckets.find(({ le }) => le === 0.001)?.count).toBe(2);
  expect(buckets.find(({ le }) => le === 5)?.count).toBe(4);
  expect(buckets.at(-1)).toEqual({ le: "+Inf", count: 5 });
  expect(buckets.map((bucket) => bucket.count)).toEqual(
    buckets.map((bucket) => bucket.count).toSorted((a, b) => a - b),
  );
});

test("a scrape shows what was counted, each time anew", async () => {
  const { metrics } = open();
  metrics.run({ slug: "json-formatter", outcome: "ok", duration: 2 });
  metrics.storageError("write");
  metrics.worker("process", "deadline");
  metrics.limit("team", "refused");
  metrics.operation("graphql", "mutation", "ok");
  metrics.operation("graphql", "none", "invalid_input");
  const first = (await metrics.render()).body.split("\n");
  expect(first).toContain('penknife_tool_runs_total{tool="json-formatter",outcome="ok"} 1');
  expect(first).toContain('penknife_tool_duration_seconds_bucket{tool="json-formatter",le="0.0025"} 1');
  expect(first).toContain('penknife_tool_duration_seconds_sum{tool="json-formatter"} 0.002');
  expect(first).toContain('penknife_storage_errors_total{operation="write"} 1');
  expect(first).toContain('penknife_worker_events_total{place="process",event="deadline"} 1');
  expect(first).toContain('penknife_limit_decisions_total{plan="team",decision="refused"} 1');
  expect(first).toContain('penknife_graphql_operations_total{operation="mutation",outcome="ok"} 1');
  expect(first).toContain('penknife_graphql_operations_total{operation="none",outcome="invalid_input"} 1');
  expect(first).toContain("# TYPE penknife_tool_duration_seconds histogram");
  metrics.run({ slug: "json-formatter", outcome: "ok", duration: 2 });
  expect((await metrics.render()).body).toContain(
    'penknife_tool_runs_total{tool="json-formatter",outcome="ok"} 2',
  );
});

test("an unknown method of a caller is not a label", async () => {
  const { metrics } = open();
  for (const method of ["PURGE", "svc_live_abc", "constructor"]) metrics.request(method, "other", 405, 0);
  const { body } = await metrics.render();
  expect(body).toContain('penknife_http_requests_total{method="other",route="other",status="405"} 3');
  expect(body).not.toMatch(/PURGE|svc_live/);
});

test("a blocked event loop is visible", async () => {
  const { metrics } = open();
  await metrics.render();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const end = performance.now() + 150;
  while (performance.now() < end);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { body } = await metrics.render();
  const worst = Number(/penknife_event_loop_delay_seconds\{quantile="1"\} (\S+)/.exec(body)?.[1]);
  expect(worst).toBeGreaterThan(0.1);
  expect(worst).toBeLessThan(1);
});

test("the queue of deliveries is read once per scrape, and omitted if it is unknown", async () => {
  let asked = 0;
  const statuses = [{ deliveries: 3, oldestSeconds: 61.5, lateSeconds: 0.25 }, undefined];
  const metrics = createMetrics({
    version: "1.0.0",
    commit: "abc",
    load: () => import("prom-client"),
    webhooks: async () => statuses[asked++],
  });
  metrics.webhookEvent("key.issued");
  metrics.webhookAttempt("retry");
  metrics.webhookAttempt("retry");
  const lines = (await metrics.render()).body.split("\n");
  expect(lines).toContain("penknife_webhook_queue_depth 3");
  expect(lines).toContain("penknife_webhook_oldest_seconds 61.5");
  expect(lines).toContain("penknife_webhook_late_seconds 0.25");
  expect(lines).toContain('penknife_webhook_events_total{type="key.issued"} 1');
  expect(lines).toContain('penknife_webhook_attempts_total{outcome="retry"} 2');
  expect(asked).toBe(1);
  const { body } = await metrics.render();
  expect(body).not.toMatch(/^penknife_webhook_(?:queue_depth|oldest_seconds|late_seconds) /m);
  expect(body).toContain("# TYPE penknife_webhook_queue_depth gauge");
});
