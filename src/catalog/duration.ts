import { show, withSubject } from "../lib/must.ts";
import { isFullDate } from "../lib/time/day.ts";
import { ToolError } from "./errors.ts";

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const instant =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Reads `30m`, `24h`, `90d` or `2w` as milliseconds. Throws `invalid_input`. */
export function parseDuration(text: string, pointer: string): number {
  const match = /^(\d{1,5})([smhdw])$/.exec(text);
  const ms = match ? Number(match[1]) * units[match[2] as keyof typeof units] : 0;
  if (ms > 0) return ms;
  throw mustBe("a number above 0 with a unit of s, m, h, d or w, such as 24h or 90d", text, pointer);
}

/**
 * Reads a duration from now or an RFC 3339 instant as epoch milliseconds. Throws `invalid_input`, also for 3m: a key that is meant to expire in
 * three months would expire in three minutes.
 */
export function parseExpiry(text: string, now: number, pointer: string): number {
  if (isInstant(text)) return Date.parse(text);
  const minutes = /^(\d{1,5})(m|min)$/.exec(text);
  if (minutes?.[2] === "min") return now + parseDuration(`${minutes[1]}m`, pointer);
  if (minutes !== null) {
    const count = Number(minutes[1]);
    throw mustBe(`${count}min for minutes or ${count * 30}d for months`, text, pointer);
  }
  if (/^\d+[a-z]$/.test(text)) return now + parseDuration(text, pointer);
  const wanted = "a duration from now, such as 90d, or an RFC 3339 instant, such as 2027-01-31T00:00:00Z";
  throw mustBe(wanted, text, pointer);
}

/**
 * Reads a duration before now, an RFC 3339 instant, or a date, which begins at midnight in UTC, as epoch milliseconds. Throws `invalid_input`.
 */
export function parseSince(text: string, now: number, pointer: string): number {
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text;
  const since = isInstant(start)
    ? Date.parse(start)
    : /^\d+[a-z]$/.test(text)
      ? now - parseDuration(text, pointer)
      : undefined;
  if (since !== undefined && since <= now) return since;
  const wanted =
    "a duration before now, such as 24h or 7d, or a date or an RFC 3339 instant in the past, such as 2026-01-31 or 2026-01-31T12:00:00Z";
  throw mustBe(wanted, text, pointer);
}

/** "expires must be a duration from now, …; got "soon"." */
function mustBe(wanted: string, text: string, pointer: string): ToolError {
  const message = `Must be ${wanted}; got ${show(text)}.`;
  return new ToolError("invalid_input", withSubject(pointer.slice(1), message), {
    errors: [{ message, pointer }],
  });
}

/** Reports whether the text is an RFC 3339 instant of an existing day; the seconds may be omitted. */
export function isInstant(text: string): boolean {
  const [, day] = instant.exec(text) ?? [];
  return day !== undefined && isFullDate(day);
}

/** Formats epoch milliseconds as RFC 3339 in UTC. */
export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** Like `toInstant`; null for a time that is absent. */
export const toInstantOrNull = (ms: number | undefined): string | null =>
  ms === undefined ? null : toInstant(ms);
