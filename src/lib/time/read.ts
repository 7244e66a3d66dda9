import { DocumentFault } from "../fault.ts";
import { readHttpDate } from "./http-date.ts";
import { isOutOfRange, readNumber, type TimeUnit } from "./number.ts";
import { readLogDate, toIsoText } from "./log-date.ts";
import { ambiguousTime, isTimeZone, resolveLocal } from "./zone.ts";

export const maxTimeLength = 200;

export interface ReadTime {
  /** The format detected. */
  format: string;
  nanoseconds: bigint;
}

export interface ReadOptions {
  unit: TimeUnit | "auto";
  /** Origin of s, ms, us and ns, in nanoseconds since 1970. */
  epoch: bigint;
  /** The zone of a date without an offset. */
  timeZone: string;
  /** Epoch milliseconds; two-digit years are near to it. */
  now: number;
}

/**
 * Reads a number, an ISO 8601, RFC 3339, RFC 9557 or RFC 7231 date, a date of git or a log, a ULID, a time-based UUID or an
 * ObjectId.
 * @throws DocumentFault if it is none of them, or not a valid time.
 */
export function readTime(text: string, options: ReadOptions): ReadTime {
  const trimmed = text.trim();
  // Longer than any date: the patterns below are not linear.
  if (trimmed.length > maxTimeLength)
    throw new DocumentFault(`A time can have at most ${maxTimeLength} characters.`, { index: 0 });
  if (trimmed.toLowerCase() === "now")
    return { format: "now", nanoseconds: BigInt(options.now) * 1_000_000n };
  const identified = options.unit === "auto" ? readIdentifierTime(trimmed) : undefined;
  const found =
    identified ?? readNumber(trimmed, options) ?? readHttpDate(trimmed, options.now) ?? readLogDate(trimmed);
  const time = found ?? { format: "iso", nanoseconds: readIso(toIsoText(trimmed), options.timeZone) };
  if (isOutOfRange(time.nanoseconds))
    throw new DocumentFault("The time must be within 100,000,000 days of 1970.", { index: 0 });
  return time;
}

function readIso(text: string, timeZone: string): bigint {
  // POSIX time counts a leap second (RFC 3339 §5.7) as the following second.
  const leap = /^(.{10}[Tt ]\d{2}:?\d{2}:?)60(.*)$/.exec(text);
  if (leap !== null) return readIso(`${leap[1]}59${leap[2]}`, timeZone) + 1_000_000_000n;
  try {
    if (/\[/.test(text)) return Temporal.ZonedDateTime.from(text).epochNanoseconds;
    // An offset or Z follows a time; a hyphen before the time belongs to the date.
    if (/[Tt ].*(?:[Zz]|[+-]\d{2}(?::?\d{2})?(?::?\d{2})?)$/.test(text))
      return Temporal.Instant.from(text).epochNanoseconds;
    if (!/^[+-]?\d{4,6}-?\d{2}-?\d{2}/.test(text)) throw new RangeError("not a date");
    return resolveLocal(Temporal.PlainDateTime.from(text), timeZone, "reject").epochNanoseconds;
  } catch (error) {
    if (error instanceof DocumentFault && error.rule === ambiguousTime)
      throw new DocumentFault(`${error.message} Add the offset.`, { index: 0 });
    if (!(error instanceof RangeError)) throw error;
    const zone = /\[!?([^\]=]+)\]/.exec(text)?.[1];
    throw new DocumentFault(
      zone !== undefined && !isTimeZone(zone)
        ? "The time zone in brackets is unknown."
        : "Expected an existing date such as 2026-01-31T12:00:00Z, a date of git or a log, a number, a ULID, a UUID or an ObjectId.",
      { index: 0 },
    );
  }
}

/**
 * Returns the time in a ULID, a UUID of version 1, 6 or 7 (RFC 9562) or an ObjectId, or undefined if the text
 * is none.
 */
function readIdentifierTime(text: string): ReadTime | undefined {
  if (/^[\da-f]{24}$/i.test(text))
    return { format: "objectid", nanoseconds: BigInt(parseInt(text.slice(0, 8), 16)) * 1_000_000_000n };
  if (/^[0-7][\da-hjkmnp-tv-z]{25}$/i.test(text)) return { format: "ulid", nanoseconds: ulidTime(text) };
  const uuid = /^([\da-f]{8})-([\da-f]{4})-([167])([\da-f]{3})-[89ab][\da-f]{3}-[\da-f]{12}$/i.exec(text);
  if (uuid === null) return undefined;
  const [, first = "", second = "", version, third = ""] = uuid;
  if (version === "7") return { format: "uuid-v7", nanoseconds: BigInt(`0x${first}${second}`) * 1_000_000n };
  const ticks = version === "1" ? third + second + first : first + second + third;
  // RFC 9562 §5.1: 100 ns since the Gregorian reform, 1582-10-15.
  const nanoseconds = (BigInt(`0x${ticks}`) - 0x01b21dd213814000n) * 100n;
  return { format: `uuid-v${version}`, nanoseconds };
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

function ulidTime(text: string): bigint {
  let milliseconds = 0n;
  for (const character of text.slice(0, 10).toLowerCase())
    milliseconds = milliseconds * 32n + BigInt(crockford.indexOf(character));
  return milliseconds * 1_000_000n;
}
