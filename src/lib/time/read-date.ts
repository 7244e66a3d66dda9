import { DocumentFault } from "../fault.ts";
import { monthOf, pad, toCentury, weekdayOf, weekdays } from "./calendar.ts";
import { dateForms, type DateParts } from "./date-forms.ts";
import type { ReadOptions, ReadTime } from "./read.ts";
import { isTimeZone, resolveTime } from "./zone.ts";
import { mailOffsetOf } from "./zone-names.ts";

/** Formats whose abbreviations of zones are those of RFC 5322 §4.3; elsewhere, CST is a time zone of three continents. */
const mail: ReadonlySet<string> = new Set(["rfc5322", "rfc7231"]);

/**
 * Reads the dates of HTTP, e-mail, logs, programming languages and people; undefined if the text is none.
 * @throws DocumentFault for a weekday that is not that of the date, an unknown zone, a date of which the month may be either number, and a
 * local time that clocks skip or repeat.
 */
export function readDate(text: string, options: ReadOptions): ReadTime | undefined {
  for (const { format, pattern } of dateForms) {
    const parts = pattern.exec(text)?.groups as DateParts | undefined;
    const time = parts && toClock(parts);
    const date = parts && time !== undefined && toDate(format, parts, text, options);
    if (date === undefined || date === false) continue;
    const zone = toZone(format, parts?.zone ?? (format === "rfc7231" ? "Z" : ""), text);
    checkWeekday(parts?.week, date, text);
    const local = `${date.toString()}T${time}`;
    return { format, nanoseconds: resolveTime(local, zone, options.timeZone) };
  }
  return undefined;
}

/** Returns HH:MM:SS.fff, or undefined if the hours do not exist. */
function toClock({ time, half, hour, minute = "00", seconds = "00" }: DateParts): string | undefined {
  const [hours = "00", minutes, rest = "00"] = (time ?? `${hour ?? "00"}:${minute}:${seconds}`).split(":");
  if (minutes === undefined && half === undefined) return undefined;
  const given = Number(hours);
  if (half !== undefined && (given < 1 || given > 12)) return undefined;
  const shifted = half === undefined ? given : (given % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  // Clocks of .NET and of databases have more digits than the nine of a nanosecond; those beyond are cut off.
  const fraction = rest.replace(",", ".").replace(/(\.\d{9})\d+/, "$1");
  return `${pad(shifted)}:${minutes ?? "00"}:${fraction}`;
}

function toDate(
  format: string,
  parts: DateParts,
  text: string,
  options: ReadOptions,
): Temporal.PlainDate | undefined {
  const { iso, ordinal, isoWeek, weekday = "1", first, second } = parts;
  const from = (year: number, month: number, day: number): Temporal.PlainDate =>
    Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  try {
    if (iso !== undefined)
      return iso.length === 7 ? Temporal.PlainDate.from(`${iso}-01`) : Temporal.PlainDate.from(iso);
    const year = toYear(format, parts, options.now);
    if (ordinal !== undefined) {
      const date = from(year, 1, 1).add({ days: Number(ordinal) - 1 });
      return date.year === year ? date : undefined;
    }
    if (isoWeek !== undefined) return toWeekDate(year, Number(isoWeek), Number(weekday));
    if (first !== undefined && second !== undefined) {
      const [month, day] = orderOf(Number(first), Number(second), parts, text, options);
      return from(year, month, day);
    }
    const { month = "" } = parts;
    const number = /^\d/.test(month) ? Number(month) : monthOf(month);
    const day = Number(parts.day);
    // Logs tell of what has been: the latest such day, with one to spare for another zone.
    if (parts.year === undefined && parts.short === undefined) return latest(number, day, options.now);
    return from(year, number, day);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function toYear(format: string, { year, short }: DateParts, now: number): number {
  if (short === undefined) return Number(year);
  const digits = Number(short);
  return format === "utctime" ? digits + (digits < 50 ? 2000 : 1900) : toCentury(digits, now);
}

/** ISO 8601 §5.2.3: week 1 has the year's first Thursday. */
function toWeekDate(year: number, week: number, weekday: number): Temporal.PlainDate | undefined {
  const fourth = Temporal.PlainDate.from({ year, month: 1, day: 4 });
  const date = fourth.add({ days: (week - 1) * 7 + weekday - fourth.dayOfWeek });
  return date.weekOfYear === week && date.yearOfWeek === year ? date : undefined;
}

/** Returns month and day of 3/4/2024. @throws DocumentFault if either may be the month, or all three the year. */
function orderOf(
  first: number,
  second: number,
  { year }: DateParts,
  text: string,
  { dateOrder }: ReadOptions,
): [month: number, day: number] {
  if (dateOrder === "month-first") return [first, second];
  if (dateOrder === "day-first") return [second, first];
  if (year !== undefined && first > 12) return [second, first];
  if (year !== undefined && (second > 12 || first === second)) return [first, second];
  throw new DocumentFault(
    "More than one number may be the month here; set dateOrder to month-first or day-first.",
    {
      index: text.search(/\d/),
    },
  );
}

function latest(month: number, day: number, now: number): Temporal.PlainDate | undefined {
  const last = new Date(now + 86_400_000);
  for (let year = last.getUTCFullYear(), tried = 0; tried < 9; year--, tried++) {
    // 29 February exists in a year of four, or of eight around 1900 and 2100.
    if (month === 2 && day === 29 && new Date(Date.UTC(year, 1, 29)).getUTCDate() !== 29) continue;
    const date = Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
    if (Date.parse(date.toString()) <= last.getTime()) return date;
  }
  return undefined;
}

/**
 * Returns an offset, the name of a zone, or "" for none.
 * @throws DocumentFault for an abbreviation that several zones share.
 */
function toZone(format: string, zone: string, text: string): string {
  if (zone === "" || zone.includes("/")) {
    if (zone === "" || isTimeZone(zone)) return zone;
    throw new DocumentFault(`The time zone ${zone} is unknown.`, { index: text.lastIndexOf(zone) });
  }
  const digits = /([+-])(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?$/.exec(zone);
  if (digits !== null) {
    const [, sign, hours = "", minutes = "00", seconds] = digits;
    return `${sign}${pad(hours)}:${minutes}${seconds === undefined ? "" : `:${seconds}`}`;
  }
  if (/^(?:Z|UTC?|GMT)$/i.test(zone)) return "Z";
  const offset = mail.has(format) ? mailOffsetOf(zone) : undefined;
  if (offset !== undefined) return offset;
  throw new DocumentFault(
    `${zone} stands for several time zones; write its offset, such as +01:00, or remove it and set timeZone to a name such as Europe/Paris.`,
    { index: text.lastIndexOf(zone) },
  );
}

/** A wrong weekday reveals a wrong date, so the reader is asked which of them is right. */
function checkWeekday(week: string | undefined, date: Temporal.PlainDate, text: string): void {
  if (week === undefined) return;
  const right = weekdays[date.dayOfWeek - 1] ?? "";
  if (weekdayOf(week) === date.dayOfWeek) return;
  throw new DocumentFault(
    `The weekday does not fit: ${date.toString()} is a ${right}. Correct the date, or remove the weekday.`,
    { index: text.indexOf(week) },
  );
}
