import type { ReadTime } from "./read.ts";

export const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const patterns = [
  // IMF-fixdate, and the e-mail date (RFC 5322) with its offset.
  /^(?:(?<week>[A-Z][a-z]{2}), )?(?<day>\d{1,2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) (?<zone>GMT|[+-]\d{4})$/,
  // The RFC 850 format.
  /^(?<week>[A-Z][a-z]{2,5}day), (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<short>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  // asctime
  /^(?<week>[A-Z][a-z]{2}) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/**
 * RFC 7231 §7.1.1.1: a two-digit year is the latest one with these digits that is at most 50 years after
 * `now`.
 * @param now Epoch milliseconds.
 */
export function readHttpDate(text: string, now: number): ReadTime | undefined {
  const groups = patterns.map((pattern) => pattern.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return undefined;
  const { week, day = "", month = "", short, time, zone = "GMT" } = groups;
  const year = short === undefined ? groups["year"] : toCentury(Number(short), now);
  const number = months.indexOf(month) + 1;
  if (number === 0) return undefined;
  const date = `${year}-${String(number).padStart(2, "0")}-${day.trim().padStart(2, "0")}`;
  try {
    const instant = Temporal.Instant.from(`${date}T${time}${zone === "GMT" ? "Z" : zone}`);
    // A wrong weekday reveals a wrong date.
    const right = weekdays[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? "";
    if (week !== undefined && week !== (short === undefined ? right.slice(0, 3) : right)) return undefined;
    return { format: "rfc7231", nanoseconds: instant.epochNanoseconds };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function toCentury(short: number, now: number): number {
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - ((((latest - short) % 100) + 100) % 100);
}

/** Returns an IMF-fixdate, or undefined if the year does not have four digits. */
export function toHttpDate(nanoseconds: bigint): string | undefined {
  const local = new Temporal.Instant(nanoseconds).toZonedDateTimeISO("UTC");
  const { year, month, day, dayOfWeek } = local;
  if (year < 0 || year > 9999) return undefined;
  const date = `${pad(day, 2)} ${months[month - 1]} ${pad(year, 4)}`;
  const time = [local.hour, local.minute, local.second].map((part) => pad(part, 2)).join(":");
  return `${weekdays[dayOfWeek - 1]?.slice(0, 3)}, ${date} ${time} GMT`;
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0");
