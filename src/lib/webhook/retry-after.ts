import { trimOws } from "../header-list.ts";
import { readHttpDate } from "../time/http-date.ts";

/** Longest wait honoured: a wrong date must not stop deliveries for a year. */
const maxMs = 12 * 3_600_000;

/**
 * Returns how long a response asks us to wait, in milliseconds, at most 12 hours: RFC 9110 §10.2.3, seconds
 * or a date. Undefined if it is neither, or negative.
 * @param now Epoch milliseconds.
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  const value = trimOws(text ?? "");
  if (value === "") return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, maxMs);
  // Longer than any date: skips the patterns.
  const time = value.length > 64 ? undefined : readHttpDate(value, now);
  if (time === undefined) return undefined;
  return Math.min(Math.max(Number(time / 1_000_000n) - now, 0), maxMs);
}
