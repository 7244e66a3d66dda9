import { hash, timingSafeEqual } from "node:crypto";
import { ToolError } from "../../catalog/errors.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange, Route } from "./exchange.ts";
import type { Reply } from "./reply.ts";

const fresh = ["Cache-Control", "no-store"];

/** For probes and scrapers, which come without the base path as well as with it. None is counted. */
export function operationalRoutes(
  { check, metrics, options }: Pick<HttpDeps, "check" | "metrics" | "options">,
  reply: Reply,
): Route[] {
  /** The process is up and its event loop turns; what it stands on is not asked, or a store that is down would have every node restarted. */
  function healthz(exchange: Exchange): void {
    reply.send(exchange, 200, "application/json", '{"status":"ok"}', fresh);
  }

  async function readyz(exchange: Exchange): Promise<void> {
    let status;
    try {
      status = await check();
    } catch {
      throw new ToolError("storage_unavailable", "The store cannot be reached.", { retryAfter: 1 });
    }
    reply.send(exchange, 200, "application/json", JSON.stringify({ status }), fresh);
  }

  async function scrape(exchange: Exchange): Promise<void> {
    if (!options.metricsEnabled) throw new ToolError("not_found", "There is nothing here.");
    authorize(exchange);
    const { type, body } = await metrics.render();
    await reply.sendCompressed(exchange, 200, type, body, fresh);
  }

  function authorize({ req: { headers } }: Exchange): void {
    if (options.metricsToken === "") return;
    const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
    if (given === undefined)
      throw new ToolError("missing_key", "Send Authorization: Bearer with metrics.token.");
    // Hashed first: timingSafeEqual wants equal lengths, and the length is a secret too.
    if (!timingSafeEqual(digest(given), digest(options.metricsToken))) {
      throw new ToolError("unknown_key", "This is not metrics.token.");
    }
  }

  return [
    { path: "/healthz", methods: { GET: healthz } },
    { path: "/readyz", methods: { GET: readyz } },
    { path: "/metrics", methods: { GET: scrape } },
  ];
}

const digest = (text: string): Buffer => hash("sha256", text, "buffer");
