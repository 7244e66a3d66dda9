import type { Attempt, Delivery, Settlement } from "../../storage/deliveries/delivery-queue.ts";
import type { Sent } from "./send.ts";

/** The meaning of an answer, or of its absence, for a delivery. */
export interface Verdict {
  outcome: Attempt["outcome"];
  /** The receiver wants no more events at all. */
  disable?: boolean;
  /** The wait that the receiver asked for. */
  retryAfterMs?: number;
}

/** The schedule of attempts. */
export interface Schedule {
  attempts: number;
  /** Milliseconds before the attempt of this number (2 or more), jitter included. */
  delayBefore(attempt: number): number;
}

const hourMs = 3_600_000;
/** Longest time from accepting an event to its last attempt, whatever the schedule. */
export const lifetimeMs = 72 * hourMs;
/** Longest wait that a receiver may ask for. */
const maxRetryAfterMs = 12 * hourMs;

export const outlived = `It was not delivered within ${lifetimeMs / hourMs} hours.`;

/**
 * Classifies an answer. 2xx succeeds; faults of the network and statuses that may pass are retried; 410 (Gone) disables the
 * endpoint. Any other answer, redirects included, would be the same next time and is refused, unless `retryClientErrors`.
 */
export function classifyAnswer(
  { status, retryAfterMs, error }: Sent,
  { retryClientErrors }: { retryClientErrors: boolean },
): Verdict {
  // An invalid URL never becomes valid. A blocked address may be allowed, or be another one, by the next attempt.
  if (error?.code === "invalid_url") return { outcome: "refused" };
  const later: Verdict = { outcome: "retry", ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (error !== undefined || status === undefined) return later;
  if (status >= 200 && status < 300) return { outcome: "ok" };
  if (status === 410) return { outcome: "refused", disable: true };
  // RFC 9110 §15: an invalid status counts as a 5xx.
  if (status >= 100 && status < 500 && !passing.has(status) && !retryClientErrors)
    return { outcome: "refused" };
  return later;
}

/** Request Timeout, Too Early, Too Many Requests. */
const passing = new Set([408, 425, 429]);

/** Returns the new state of a delivery after an attempt that ended at `now`. */
export function toSettlement(
  { since }: Delivery,
  attempt: Attempt,
  { outcome, retryAfterMs = 0 }: Verdict,
  { attempts, delayBefore }: Schedule,
  now: number,
): Settlement {
  if (outcome === "ok") return { attempt, state: "delivered" };
  if (outcome === "refused") return failed(attempt, `${describe(attempt)} It is not retried.`);
  if (attempt.number >= attempts)
    return failed(attempt, `None of ${attempts} attempts succeeded. ${describe(attempt)}`);
  const asked = Math.min(retryAfterMs, maxRetryAfterMs);
  const nextAt = now + Math.max(delayBefore(attempt.number + 1), asked);
  // The delivery would expire before the next attempt.
  if (nextAt > since + lifetimeMs) return failed(attempt, `${outlived} ${describe(attempt)}`);
  return { attempt, state: "waiting", nextAt };
}

const failed = (attempt: Attempt, reason: string): Settlement => ({ attempt, state: "failed", reason });

function describe({ number, status, error }: Attempt): string {
  if (error !== undefined) return `Attempt ${number} ended with ${error}.`;
  return `Attempt ${number} got ${status === undefined ? "no answer" : `status ${status}`}.`;
}
