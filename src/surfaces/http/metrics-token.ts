import { hash, timingSafeEqual } from "node:crypto";
import { ToolError } from "../../catalog/errors.ts";
import type { HttpDeps } from "./deps.ts";
import type { Exchange } from "./exchange.ts";

/** `metrics.token`, as scrapers send it. */
export interface MetricsToken {
  /** Reports whether the request carries the token. Other credentials are not counted. @throws ToolError quota_exceeded */
  isGiven(exchange: Exchange): boolean;
  /** @throws ToolError missing_key, unknown_key; quota_exceeded if the address had too many credentials refused. */
  require(exchange: Exchange): void;
}

export function createMetricsToken({
  options: { metrics },
  refusals,
}: Pick<HttpDeps, "options" | "refusals">): MetricsToken {
  function matches(given: string, ip: string): boolean {
    // The right token is blocked too; otherwise a caller at the cap could still recognize it.
    const blocked = refusals.blocked(ip);
    if (blocked !== undefined) throw blocked;
    // Hashed, because timingSafeEqual needs equal lengths and the length is secret too.
    return timingSafeEqual(digest(given), digest(metrics.token));
  }

  const tokenOf = ({ req: { headers } }: Exchange): string | undefined =>
    /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];

  return {
    isGiven(exchange) {
      const given = metrics.token === "" ? undefined : tokenOf(exchange);
      return given !== undefined && matches(given, exchange.ip);
    },
    require(exchange) {
      if (metrics.token === "") return;
      const given = tokenOf(exchange);
      if (given === undefined)
        throw new ToolError("missing_key", "Send Authorization: Bearer with metrics.token.");
      if (!matches(given, exchange.ip))
        throw refusals.refuse("unknown_key", "This is not metrics.token.", exchange.ip);
    },
  };
}

const digest = (text: string): Buffer => hash("sha256", text, "buffer");
