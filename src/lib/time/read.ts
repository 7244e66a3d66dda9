import { DocumentFault } from "../fault.ts";
import { onLine } from "../lines.ts";
import { isOutOfRange, readNumber, type TimeUnit } from "./number.ts";
import { readDate } from "./read-date.ts";
import { readRelative } from "./relative.ts";
import { ambiguousTime, isTimeZone, resolveLocal, resolveTime } from "./zone.ts";

export const maxTimeLength = 200;

export const dateOrders = ["auto", "month-first", "day-first"] as const;

export interface ReadTime {
  /** The format detected. */
  format: string;
  nanoseconds: bigint;
  /** The other reading of digits that were read as a date: a number. */
  otherwise?: { format: string; nanoseconds: bigint };
}

export interface ReadOptions {
  unit: TimeUnit | "auto";
  /** Origin of s, ms, us and ns, in nanoseconds since 1970. */
  epoch: bigint;
  /** The zone of a date without an offset. */
  timeZone: string;
  /** Epoch milliseconds; relative times, two-digit years and dates without a year are near to it. */
  now: number;
  /** The order of 3/4/2024; auto reads only what has one meaning. */
  dateOrder: (typeof dateOrders)[number];
}

/**
 * Reads a number, a date in a usual notation (`date-forms.ts`, ISO 8601, RFC 3339, RFC 9557), a relative time, or an identifier that holds a
 * time.
 * @throws DocumentFault if it is none of them, or not a valid time.
 */
export function readTime(text: string, options: ReadOptions): ReadTime {
  const bare = withoutWrapping(text.trim());
  return onLine({ text: bare, index: text.indexOf(bare) }, () => readBare(bare, options));
}

function readBare(text: string, options: ReadOptions): ReadTime {
  // Longer than any date: the patterns below are not linear.
  if (text.length > maxTimeLength)
    throw new DocumentFault(`A time can have at most ${maxTimeLength} characters.`, { index: 0 });
  const number = readNumber(text, options);
  const time = (options.unit === "auto" ? readCompact(text, options, number) : undefined) ??
    (options.unit === "auto" ? readIdentifierTime(text) : undefined) ??
    number ??
    readStored(text, options) ??
    readDate(text, options) ??
    readMoving(text, options) ?? {
      format: "iso",
      nanoseconds: readIso(toIsoText(text), options.timeZone),
    };
  if (isOutOfRange(time.nanoseconds))
    throw new DocumentFault("The time must be within 100,000,000 days of 1970.", { index: 0 });
  return time;
}

/** Removes what surrounds a date in a program, a list, a log or the output of openssl. */
function withoutWrapping(text: string): string {
  const bare = text.replace(/^(?:not(?:Before|After) ?=|Date:) ?/, "").replace(/[,;]$/, "");
  const quoted =
    /^(["'`])(.*)\1$/.exec(bare) ?? /^()\[([^[\]]+)\]$/.exec(bare) ?? /^()\(([^()]+)\)$/.exec(bare);
  return (quoted?.[2] ?? bare).trim();
}

/** Digits that are a date of this or the neighbouring centuries, with or without a time: YYYYMMDD, YYYYMMDDHHMM, YYYYMMDDHHMMSS. */
function readCompact(
  text: string,
  { timeZone }: ReadOptions,
  number: ReadTime | undefined,
): ReadTime | undefined {
  const digits = /^((?:19|20|21)\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?$/.exec(text);
  if (digits === null || number === undefined) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00"] = digits;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  if (!exists(local)) return undefined;
  return { format: "compact", nanoseconds: resolveTime(local, "", timeZone), otherwise: number };
}

function exists(local: string): boolean {
  try {
    return Temporal.PlainDateTime.from(local) !== undefined;
  } catch {
    return false;
  }
}

/** Git keeps seconds and an offset that does not change them; JSON of ASP.NET has milliseconds, `/Date(1700000000000+0100)/`. */
function readStored(text: string, options: ReadOptions): ReadTime | undefined {
  const raw = /^@?(\d{1,12}) [+-]\d{4}$/.exec(text) ?? /^@(\d{1,12}(?:\.\d{1,9})?)$/.exec(text);
  if (raw !== null) {
    const time = readNumber(raw[1] ?? "", { ...options, unit: "s", epoch: 0n });
    return time && { ...time, format: "git" };
  }
  const json = /^\\?\/Date\((-?\d{1,17})(?:[+-]\d{4})?\)\\?\/$/.exec(text);
  if (json === null) return undefined;
  return { format: "asp-net", nanoseconds: BigInt(json[1] ?? 0) * 1_000_000n };
}

function readMoving(text: string, { now, timeZone }: ReadOptions): ReadTime | undefined {
  try {
    const origin = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
    const time = readRelative(text, origin);
    if (time === undefined) return undefined;
    return { format: text.toLowerCase() === "now" ? "now" : "relative", nanoseconds: time.epochNanoseconds };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DocumentFault("The time must be within 100,000,000 days of 1970.", { index: 0 });
  }
}

/** Rewrites dates that are almost ISO 8601: 2024/01/15 10:30:00,123, and seconds with more than nine digits. */
const toIsoText = (text: string): string =>
  text
    .replace(/^(\d{4})\/(\d{2})\/(\d{2})(?=[ T]|$)/, "$1-$2-$3")
    .replace(/(:\d{2}),(\d{1,40})(?=\D|$)/, "$1.$2")
    .replace(/(:\d{2}\.\d{9})\d+/, "$1");

function readIso(text: string, timeZone: string): bigint {
  // The following second, as in resolveTime.
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
    const zone = /^[^[]*\d\[!?([^\]=]+)\]/.exec(text)?.[1];
    throw new DocumentFault(
      zone !== undefined && !isTimeZone(zone)
        ? "The time zone in brackets is unknown."
        : "Expected an existing date such as 2026-01-31T12:00:00Z, a date of HTTP, git or a log, a number, a time such as 2 days ago, a ULID, a KSUID, a UUID or an ObjectId.",
      { index: 0 },
    );
  }
}

/**
 * Returns the time in a ULID, a KSUID, a UUID of version 1, 6 or 7 (RFC 9562) or an ObjectId, or undefined if the text
 * is none.
 */
function readIdentifierTime(text: string): ReadTime | undefined {
  if (/^[\da-f]{24}$/i.test(text))
    return { format: "objectid", nanoseconds: BigInt(parseInt(text.slice(0, 8), 16)) * 1_000_000_000n };
  if (/^[0-7][\da-hjkmnp-tv-z]{25}$/i.test(text))
    return { format: "ulid", nanoseconds: numberIn(text.slice(0, 10).toLowerCase(), crockford) * 1_000_000n };
  if (/^[\dA-Za-z]{27}$/.test(text)) return ksuidTime(text);
  const uuid = /^([\da-f]{8})-([\da-f]{4})-([167])([\da-f]{3})-[89ab][\da-f]{3}-[\da-f]{12}$/i.exec(text);
  if (uuid === null) return undefined;
  const [, first = "", second = "", version, third = ""] = uuid;
  if (version === "7") return { format: "uuid-v7", nanoseconds: BigInt(`0x${first}${second}`) * 1_000_000n };
  const ticks = version === "1" ? third + second + first : first + second + third;
  // RFC 9562 §5.1: 100 ns since the Gregorian reform, 1582-10-15.
  const nanoseconds = (BigInt(`0x${ticks}`) - 0x01b21dd213814000n) * 100n;
  return { format: `uuid-v${version}`, nanoseconds };
}

/** A KSUID is 20 bytes in base 62; the first four are the seconds since 2014-05-13T16:53:20Z. */
function ksuidTime(text: string): ReadTime | undefined {
  const bits = numberIn(text, base62);
  if (bits >= 1n << 160n) return undefined;
  return { format: "ksuid", nanoseconds: ((bits >> 128n) + 1_400_000_000n) * 1_000_000_000n };
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function numberIn(text: string, alphabet: string): bigint {
  let value = 0n;
  for (const character of text) value = value * BigInt(alphabet.length) + BigInt(alphabet.indexOf(character));
  return value;
}
