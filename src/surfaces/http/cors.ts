import { limitHeaderNames } from "./limit-headers.ts";
import type { Exchange } from "./exchange.ts";

/**
 * CORS (Fetch standard), off unless origins are listed. Browser credentials such as cookies are never allowed; keys are
 * sent in a header.
 */
export interface Cors {
  /** Adds CORS headers to the answer. Returns true for a preflight, which needs no further processing. */
  apply(exchange: Exchange): boolean;
  /** Reports whether pages of this origin may call the server. */
  allows(origin: string): boolean;
  /** Allows pages to send a request header in addition to the usual ones. */
  allowHeader(name: string): void;
}

const exposed = [...limitHeaderNames, "Retry-After", "X-Request-Id", "ETag", "Tool-Version"].join(", ");

const usualHeaders = [
  "Authorization",
  "Content-Type",
  "Accept",
  "If-None-Match",
  "Last-Event-ID",
  "X-Request-Id",
];

/** @param origins Origins such as `https://ci.example.com`; `*` allows every origin. */
export function createCors(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined;
  const known = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, "")));
  const any = known.has("*");
  const allowed = new Set(usualHeaders);

  const allows = (origin: string): boolean => any || known.has(origin.toLowerCase());

  return {
    allows,
    allowHeader: (name) => void allowed.add(name),
    apply(exchange) {
      const { req } = exchange;
      const extra: string[] = [];
      exchange.extra = extra;
      const origin = req.headers.origin;
      if (!any) extra.push("Vary", "Origin");
      if (origin === undefined || !allows(origin)) return false;
      extra.push("Access-Control-Allow-Origin", any ? "*" : origin);
      if (req.method !== "OPTIONS" || req.headers["access-control-request-method"] === undefined) {
        extra.push("Access-Control-Expose-Headers", exposed);
        return false;
      }
      extra.push("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
      extra.push("Access-Control-Allow-Headers", [...allowed].join(", "));
      extra.push("Access-Control-Max-Age", "7200");
      return true;
    },
  };
}
