import type { Attempt, Delivery, Settlement } from "../storage/deliveries/delivery-queue.ts";

/** What an answer, or that there was none, means for a delivery. */
export interface Verdict {
  outcome: Attempt["outcome"];
  /** The receiver wants nothing any more, neither this nor another event. */
  disable?: boolean;
  /** How long the receiver asked us to wait. */
  retryAfterMs?: number;
}

/** When and how often a delivery is tried. */
export interface Schedule {
  attempts: number;
  /** Milliseconds before the attempt of this number, from 2, chance included. */
  delayBefore(attempt: number): number;
}

const hourMs = 3_600_000;
/** Whatever the schedule says, nothing is sent later than this after it was accepted. */
export const lifetimeMs = 72 * hourMs;
/** A receiver may ask for patience, and not for oblivion. */
const longestRetryAfterMs = 12 * hourMs;

export const outlived = `It was not delivered within ${lifetimeMs / hourMs} hours.`;

/** What becomes of a delivery after an attempt that has ended now. */
export function toSettlement(
  { since }: Delivery,
  attempt: Attempt,
  { outcome, retryAfterMs = 0 }: Verdict,
  { attempts, delayBefore }: Schedule,
  now: number,
): Settlement {
  if (outcome === "ok") return { attempt, state: "delivered" };
  if (outcome === "refused") return failed(attempt, `${describe(attempt)} That is not tried again.`);
  if (attempt.number >= attempts)
    return failed(attempt, `None of ${attempts} attempts succeeded. ${describe(attempt)}`);
  const asked = Math.min(retryAfterMs, longestRetryAfterMs);
  const nextAt = now + Math.max(delayBefore(attempt.number + 1), asked);
  // One that would be over by then need not be waited for.
  if (nextAt > since + lifetimeMs) return failed(attempt, `${outlived} ${describe(attempt)}`);
  return { attempt, state: "waiting", nextAt };
}

const failed = (attempt: Attempt, reason: string): Settlement => ({ attempt, state: "failed", reason });

function describe({ number, status, error }: Attempt): string {
  if (error !== undefined) return `Attempt ${number} ended with ${error}.`;
  return `Attempt ${number} was answered ${status ?? "by nothing"}.`;
}
