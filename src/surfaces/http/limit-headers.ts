import type { Quota } from "../../catalog/principal.ts";
import { policy } from "../../services/access/limits.ts";

/** Cached headers by limit; there are few limits. */
const policies = new Map<number, [policy: string, limit: string]>();

/**
 * Appends the rate limit headers of draft-ietf-httpapi-ratelimit-headers-10 (structured fields, RFC 9651) and the older
 * X-RateLimit ones, whose reset is in epoch seconds.
 */
export function pushLimitHeaders(headers: string[], quota: Quota, now: number): void {
  let fixed = policies.get(quota.limit);
  if (fixed === undefined) {
    fixed = [`"${policy.name}";q=${quota.limit};w=${policy.seconds}`, String(quota.limit)];
    if (policies.size > 1000) policies.clear();
    policies.set(quota.limit, fixed);
  }
  const seconds = Math.max(0, Math.ceil((quota.resetAt - now) / 1000));
  headers.push(
    "RateLimit-Policy",
    fixed[0],
    "RateLimit",
    `"${policy.name}";r=${quota.remaining};t=${seconds}`,
    "X-RateLimit-Limit",
    fixed[1],
    "X-RateLimit-Remaining",
    `${quota.remaining}`,
    "X-RateLimit-Reset",
    `${Math.ceil(quota.resetAt / 1000)}`,
  );
}

/** For `Access-Control-Expose-Headers`. */
export const limitHeaderNames = [
  "RateLimit",
  "RateLimit-Policy",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const;
