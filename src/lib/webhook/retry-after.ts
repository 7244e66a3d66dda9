import { readHttpDate } from "../time/http-date.ts";

/** Whoever asks for more gets this: a day off by one in a date must not silence us for a year. */
const longestMs = 12 * 3_600_000;

/**
 * How long an answer asks us to wait, in milliseconds, 12 hours at most: RFC 9110 §10.2.3, seconds or a date. Undefined where
 * it is neither: a negative number is none.
 * @param now Epoch milliseconds.
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  const value = text?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, longestMs);
  // Longer than any date: a pattern need not see it.
  const time = value.length > 64 ? undefined : readHttpDate(value, now);
  if (time === undefined) return undefined;
  return Math.min(Math.max(Number(time.nanoseconds / 1_000_000n) - now, 0), longestMs);
}
