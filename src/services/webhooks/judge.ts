import type { Verdict } from "./outcome.ts";
import type { Sent } from "./send.ts";

/**
 * What an answer means. 2xx is success; what the receiver or the network may get over is tried again; 410 (Gone) ends the
 * endpoint. Any other answer, redirects among them, will be the same the next time, unless `retryClientErrors` says otherwise.
 */
export function judge(
  { status, retryAfterMs, error }: Sent,
  { retryClientErrors }: { retryClientErrors: boolean },
): Verdict {
  // Whose URL is none today has none tomorrow. A blocked address may be allowed, or be another one, by then.
  if (error?.code === "invalid_url") return { outcome: "refused" };
  const later: Verdict = { outcome: "retry", ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (error !== undefined || status === undefined) return later;
  if (status >= 200 && status < 300) return { outcome: "ok" };
  if (status === 410) return { outcome: "refused", disable: true };
  // RFC 9110 §15: what is no status is taken for a 5xx.
  if (status >= 100 && status < 500 && !passing.has(status) && !retryClientErrors)
    return { outcome: "refused" };
  return later;
}

/** Request Timeout, Too Early, Too Many Requests. */
const passing = new Set([408, 425, 429]);
