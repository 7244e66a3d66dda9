import { DocumentFault } from "../fault.ts";
import type { ReadOptions, ReadTime } from "./read.ts";

export const timeUnits = ["s", "ms", "us", "ns", "ticks", "excel"] as const;

export type TimeUnit = (typeof timeUnits)[number];

const nanosecondsOf = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n, ticks: 100n } as const;

/** .NET counts ticks of 100 ns from the year 1. */
const ticksAtEpoch = 621_355_968_000_000_000n;

const day = 86_400_000_000_000n;

/** Temporal ends there: 10^8 days on either side of 1970. */
const limit = 100_000_000n * day;

export const isOutOfRange = (nanoseconds: bigint): boolean => nanoseconds > limit || nanoseconds < -limit;

/** A number as a time, fractions included; undefined where the text is no number. */
export function readNumber(text: string, { unit, epoch, timeZone }: ReadOptions): ReadTime | undefined {
  const match = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = ""] = match;
  const named = unit === "auto" ? detect(BigInt(whole)) : unit;
  const digits = BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction}`);
  const scale = 10n ** BigInt(fraction.length);
  if (named === "excel") return { format: "excel", nanoseconds: fromExcel(digits, scale, timeZone) };
  const nanoseconds = floorDivide(digits * nanosecondsOf[named], scale);
  if (named === "ticks") return { format: "ticks", nanoseconds: nanoseconds - ticksAtEpoch * 100n };
  return { format: named === "s" ? "unix" : `unix-${named}`, nanoseconds: epoch + nanoseconds };
}

/** A time as a number of whole units, rounded down, since `epoch`. */
export function toNumberText(nanoseconds: bigint, unit: Exclude<TimeUnit, "excel">, epoch: bigint): string {
  const since = unit === "ticks" ? nanoseconds + ticksAtEpoch * 100n : nanoseconds - epoch;
  return String(floorDivide(since, nanosecondsOf[unit]));
}

/** The serial number of a spreadsheet, to the millisecond; undefined before 1900-01-01, where there is none. */
export function toExcel(local: Temporal.PlainDateTime): number | undefined {
  const { milliseconds } = local.since("1899-12-30", { largestUnit: "millisecond" });
  const serial = milliseconds / 86_400_000;
  if (serial < 2) return undefined;
  return Number((serial < 61 ? serial - 1 : serial).toFixed(8));
}

/** Seconds until the year 5138, and so on by thousands: nobody means milliseconds of 1973. */
function detect(whole: bigint): "s" | "ms" | "us" | "ns" {
  if (whole < 10n ** 11n) return "s";
  if (whole < 10n ** 14n) return "ms";
  return whole < 10n ** 17n ? "us" : "ns";
}

/** Days since 1899-12-30. Serial 60 is 29 February 1900, which never was: before it, all numbers are one too low. */
function fromExcel(digits: bigint, scale: bigint, timeZone: string): bigint {
  const number = floorDivide(digits, scale);
  if (number === 60n)
    throw new DocumentFault("Serial number 60 is 29 February 1900, a day that never was.", { index: 0 });
  const since = floorDivide((digits + (number < 60n ? scale : 0n)) * day, scale) - 25_569n * day;
  // The fraction of a day is a binary one: to the millisecond it is right.
  const milliseconds = floorDivide(since + 500_000n, 1_000_000n);
  // A local time can lie a day beyond the first and the last instant.
  if (isOutOfRange(milliseconds * 1_000_000n + day) || isOutOfRange(milliseconds * 1_000_000n - day))
    return limit + 1n;
  const local = Temporal.Instant.fromEpochMilliseconds(Number(milliseconds)).toZonedDateTimeISO("UTC");
  // A spreadsheet knows no zone: where clocks skip or repeat the time, it does not matter to it.
  return local.toPlainDateTime().toZonedDateTime(timeZone).epochNanoseconds;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
