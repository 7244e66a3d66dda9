import { ToolError } from "../../catalog/errors.ts";
import { once } from "../../services/once.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange, Route } from "./exchange.ts";
import type { Reply } from "./reply.ts";

const fresh = ["Cache-Control", "no-store"];

/** For probes and scrapers, which come without the base path as well as with it. None is counted. */
export function operationalRoutes(
  deps: Pick<HttpDeps, "check" | "metrics" | "options" | "refusals">,
  reply: Reply,
): Route[] {
  const { check, metrics, options } = deps;
  const metricsToken = once(async () => (await import("./metrics-token.ts")).createMetricsToken(deps));

  /** The process is up and its event loop turns; what it stands on is not asked, or a store that is down would have every node restarted. */
  function healthz(exchange: Exchange): void {
    reply.send(exchange, 200, "application/json", '{"status":"ok"}', fresh);
  }

  async function readyz(exchange: Exchange): Promise<void> {
    let readiness;
    try {
      readiness = await check();
    } catch {
      throw new ToolError("storage_unavailable", "The store cannot be reached.", { retryAfter: 1 });
    }
    reply.send(exchange, 200, "application/json", JSON.stringify(readiness), fresh);
  }

  async function scrape(exchange: Exchange): Promise<void> {
    if (!options.metricsEnabled) throw new ToolError("not_found", "There is nothing here.");
    (await metricsToken()).require(exchange);
    const { type, body } = await metrics.render();
    await reply.sendCompressed(exchange, 200, type, body, fresh);
  }

  return [
    { path: "/healthz", methods: { GET: healthz }, page: true },
    { path: "/readyz", methods: { GET: readyz }, page: true },
    { path: "/metrics", methods: { GET: scrape }, page: true },
  ];
}
