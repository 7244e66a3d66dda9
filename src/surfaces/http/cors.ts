import { limitHeaderNames } from "./limit-headers.ts";
import type { Exchange } from "./exchange.ts";

/**
 * The Fetch standard's CORS protocol, off unless origins are listed. Credentials of the browser (cookies) are
 * never allowed: a key is sent in a header by whoever has it.
 */
export interface Cors {
  /** Adds what the answer needs. True where the request is a preflight that needs nothing else. */
  apply(exchange: Exchange): boolean;
  /** Whether pages of this origin may call. */
  allows(origin: string): boolean;
  /** Lets pages send a header that a route adds to the usual ones. */
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

/** @param origins Such as `https://ci.example.com`; `*` for every origin. */
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
