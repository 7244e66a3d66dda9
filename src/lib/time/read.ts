import { DocumentFault } from "../fault.ts";
import { readIdentifierTime } from "./identifier.ts";
import { readHttpDate } from "./http-date.ts";
import { isOutOfRange, readNumber, type TimeUnit } from "./number.ts";
import { ambiguousTime, isTimeZone, resolveLocal } from "./zone.ts";

export const maxTimeLength = 200;

export interface ReadTime {
  /** What the text was taken for. */
  format: string;
  nanoseconds: bigint;
}

export interface ReadOptions {
  unit: TimeUnit | "auto";
  /** What s, ms, us and ns count from, in nanoseconds since 1970. */
  epoch: bigint;
  /** Of a date without an offset. */
  timeZone: string;
  /** Epoch milliseconds: what a year of two digits is near to. */
  now: number;
}

/**
 * Reads a number, an ISO 8601, RFC 3339, RFC 9557 or RFC 7231 date, a ULID, a time-based UUID or an ObjectId.
 * @throws DocumentFault where it is none of them, or no time at all.
 */
export function readTime(text: string, options: ReadOptions): ReadTime {
  const trimmed = text.trim();
  // Longer than any date: the patterns below need not be linear.
  if (trimmed.length > maxTimeLength)
    throw new DocumentFault(`A time has at most ${maxTimeLength} characters.`, { index: 0 });
  const identified = options.unit === "auto" ? readIdentifierTime(trimmed) : undefined;
  const found = identified ?? readNumber(trimmed, options) ?? readHttpDate(trimmed, options.now);
  const time = found ?? { format: "iso", nanoseconds: readIso(trimmed, options.timeZone) };
  if (isOutOfRange(time.nanoseconds))
    throw new DocumentFault("The time is more than 100,000,000 days from 1970.", { index: 0 });
  return time;
}

function readIso(text: string, timeZone: string): bigint {
  // A leap second (RFC 3339 §5.7) is what POSIX time counts twice: the second that follows.
  const leap = /^(.{10}[Tt ]\d{2}:?\d{2}:?)60(.*)$/.exec(text);
  if (leap !== null) return readIso(`${leap[1]}59${leap[2]}`, timeZone) + 1_000_000_000n;
  try {
    if (/\[/.test(text)) return Temporal.ZonedDateTime.from(text).epochNanoseconds;
    // An offset or Z comes after a time; a hyphen before it belongs to the date.
    if (/[Tt ].*(?:[Zz]|[+-]\d{2}(?::?\d{2})?(?::?\d{2})?)$/.test(text))
      return Temporal.Instant.from(text).epochNanoseconds;
    if (!/^[+-]?\d{4,6}-?\d{2}-?\d{2}/.test(text)) throw new RangeError("not a date");
    return resolveLocal(Temporal.PlainDateTime.from(text), timeZone, "reject").epochNanoseconds;
  } catch (error) {
    if (error instanceof DocumentFault && error.rule === ambiguousTime)
      throw new DocumentFault(`${error.message} Give the offset.`, { index: 0 });
    if (!(error instanceof RangeError)) throw error;
    const zone = /\[!?([^\]=]+)\]/.exec(text)?.[1];
    throw new DocumentFault(
      zone !== undefined && !isTimeZone(zone)
        ? "The time zone in brackets is not known."
        : "Expected a date such as 2026-01-31T12:00:00Z that exists, a number, a ULID, a UUID or an ObjectId.",
      { index: 0 },
    );
  }
}
