import { DocumentFault } from "../fault.ts";
import type { ReadOptions, ReadTime } from "./read.ts";

export const timeUnits = [
  "s",
  "ms",
  "us",
  "ns",
  "ticks",
  "filetime",
  "excel",
  "twitter-snowflake",
  "discord-snowflake",
] as const;

export type TimeUnit = (typeof timeUnits)[number];

/** Epochs of snowflakes, in Unix milliseconds. The lowest 22 bits of an id are not of its time. */
const snowflakeEpochs = {
  "twitter-snowflake": 1_288_834_974_657n,
  "discord-snowflake": 1_420_070_400_000n,
} as const;

const nanosecondsOf = {
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  ns: 1n,
  ticks: 100n,
  filetime: 100n,
} as const;

/** .NET counts ticks of 100 ns from the year 1. */
const ticksAtEpoch = 621_355_968_000_000_000n;

/** Windows counts 100 ns from 1601. */
const filetimeAtEpoch = 116_444_736_000_000_000n;

const day = 86_400_000_000_000n;

/** The limit of Temporal: 10^8 days on either side of 1970. */
const limit = 100_000_000n * day;

export const isOutOfRange = (nanoseconds: bigint): boolean => nanoseconds > limit || nanoseconds < -limit;

/** Reads a number, possibly with a fraction, as a time; undefined if the text is not a number. */
export function readNumber(text: string, { unit, epoch, timeZone }: ReadOptions): ReadTime | undefined {
  const match = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = ""] = match;
  const named = unit === "auto" ? detect(BigInt(whole)) : unit;
  const digits = BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction}`);
  const scale = 10n ** BigInt(fraction.length);
  if (named === "twitter-snowflake" || named === "discord-snowflake") {
    if (sign !== "" || fraction !== "")
      throw new DocumentFault("A snowflake is a whole number above 0.", { index: 0 });
    const milliseconds = (digits >> 22n) + snowflakeEpochs[named];
    return { format: named, nanoseconds: milliseconds * 1_000_000n };
  }
  if (named === "excel") return { format: "excel", nanoseconds: fromExcel(digits, scale, timeZone) };
  const nanoseconds = floorDivide(digits * nanosecondsOf[named], scale);
  if (named === "ticks") return { format: "ticks", nanoseconds: nanoseconds - ticksAtEpoch * 100n };
  if (named === "filetime") return { format: "filetime", nanoseconds: nanoseconds - filetimeAtEpoch * 100n };
  return { format: named === "s" ? "unix" : `unix-${named}`, nanoseconds: epoch + nanoseconds };
}

/** Returns a time as a number of whole units since `epoch`, rounded down. */
export function toNumberText(nanoseconds: bigint, unit: keyof typeof nanosecondsOf, epoch: bigint): string {
  const own = { ticks: ticksAtEpoch, filetime: filetimeAtEpoch };
  const since =
    unit === "ticks" || unit === "filetime" ? nanoseconds + own[unit] * 100n : nanoseconds - epoch;
  return String(floorDivide(since, nanosecondsOf[unit]));
}

/** Returns the serial number of a spreadsheet, to the millisecond, or undefined before 1900-01-01. */
export function toExcel(local: Temporal.PlainDateTime): number | undefined {
  const { milliseconds } = local.since("1899-12-30", { largestUnit: "millisecond" });
  const serial = milliseconds / 86_400_000;
  if (serial < 2) return undefined;
  return Number((serial < 61 ? serial - 1 : serial).toFixed(8));
}

/**
 * Guesses the unit: seconds until the year 5138, then each by a factor of a thousand; nobody means
 * milliseconds of 1973. A FILETIME of 1949 to 2108 would be nanoseconds of 1973 and 1974.
 */
function detect(whole: bigint): "s" | "ms" | "us" | "ns" | "filetime" {
  if (whole < 10n ** 11n) return "s";
  if (whole < 10n ** 14n) return "ms";
  if (whole < 10n ** 17n) return "us";
  return whole >= 11n * 10n ** 16n && whole < 16n * 10n ** 16n ? "filetime" : "ns";
}

/**
 * Days since 1899-12-30. Serial 60 is 29 February 1900, which never existed: before it, all numbers are one
 * too low.
 */
function fromExcel(digits: bigint, scale: bigint, timeZone: string): bigint {
  const number = floorDivide(digits, scale);
  if (number === 60n)
    throw new DocumentFault("Serial number 60 is 29 February 1900, a day that does not exist.", { index: 0 });
  const since = floorDivide((digits + (number < 60n ? scale : 0n)) * day, scale) - 25_569n * day;
  // The fraction of a day is binary: it is exact to the millisecond.
  const milliseconds = floorDivide(since + 500_000n, 1_000_000n);
  // A local time can be a day outside the first and last instant.
  if (isOutOfRange(milliseconds * 1_000_000n + day) || isOutOfRange(milliseconds * 1_000_000n - day))
    return limit + 1n;
  const local = Temporal.Instant.fromEpochMilliseconds(Number(milliseconds)).toZonedDateTimeISO("UTC");
  // A spreadsheet has no zone: it ignores skipped and repeated times.
  return local.toPlainDateTime().toZonedDateTime(timeZone).epochNanoseconds;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
