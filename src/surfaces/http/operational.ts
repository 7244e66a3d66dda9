import { ToolError } from "../../catalog/errors.ts";
import { lazy } from "../../lib/lazy.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange, Route } from "./exchange.ts";
import type { Reply } from "./reply.ts";
import { createScraper } from "./scrape.ts";
import { sendShared } from "./shared.ts";

const fresh = ["Cache-Control", "no-store"];

/** Routes of probes and scrapers, served with and without the base path. None counts against a quota. */
export function operationalRoutes(
  deps: Pick<HttpDeps, "check" | "metrics" | "runtime" | "options" | "refusals">,
  reply: Reply,
): Route[] {
  const { check, metrics, runtime, options } = deps;
  const metricsToken = lazy(async () => (await import("./metrics-token.ts")).createMetricsToken(deps));
  const scrapeMetrics = createScraper(metrics, runtime.monotonic);
  let checking: ReturnType<typeof check> | undefined;

  /** Checks the store once for all concurrent probes. */
  function checkOnce(): ReturnType<typeof check> {
    return (checking ??= check().finally(() => (checking = undefined)));
  }

  /** Liveness only: it does not check the store, because an outage of the store must not restart every node. */
  function healthz(exchange: Exchange): void {
    reply.send(exchange, 200, "application/json", '{"status":"ok"}', fresh);
  }

  async function readyz(exchange: Exchange): Promise<void> {
    let readiness;
    try {
      readiness = await checkOnce();
    } catch {
      throw new ToolError("storage_unavailable", "The store cannot be reached.", { retryAfter: 1 });
    }
    reply.send(exchange, 200, "application/json", JSON.stringify(readiness), fresh);
  }

  async function scrape(exchange: Exchange): Promise<void> {
    if (!options.metrics.enabled) throw new ToolError("not_found", "There is nothing here.");
    (await metricsToken()).require(exchange);
    const scraped = await scrapeMetrics();
    await sendShared(reply, exchange, scraped.type, scraped, fresh);
  }

  return [
    { path: "/healthz", methods: { GET: healthz }, page: true, isProbe: true },
    { path: "/readyz", methods: { GET: readyz }, page: true, isProbe: true },
    { path: "/metrics", methods: { GET: scrape }, page: true },
  ];
}
