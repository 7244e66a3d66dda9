import { isLeapYear } from "../time/day.ts";

/** A time in parts, as `struct tm`: months and days of the week and year count from 0. */
export interface BrokenTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  weekday: number;
  yearDay: number;
}

const daySeconds = 86_400;

/** Returns undefined for a time that is not finite or beyond the years that a date can have. */
export function fromSeconds(seconds: number): BrokenTime | undefined {
  const whole = Math.floor(seconds);
  const date = new Date(whole * 1000);
  if (Number.isNaN(date.getTime())) return undefined;
  const year = date.getUTCFullYear();
  return {
    year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds() + (seconds - whole),
    weekday: date.getUTCDay(),
    yearDay: daysBetween(startOf(year), date),
  };
}

/** Seconds since 1970. Parts beyond their range carry over. */
export function toSeconds({ year, month, day, hour, minute, second }: BrokenTime): number {
  const date = startOf(year);
  date.setUTCMonth(month, day);
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second;
}

/** Returns the same time with the days of the week and year that its date has. */
export function withDays(time: BrokenTime): BrokenTime {
  const date = startOf(time.year);
  date.setUTCMonth(time.month, time.day);
  return { ...time, weekday: date.getUTCDay(), yearDay: daysBetween(startOf(time.year), date) };
}

/** `Date.UTC` takes the years 0 to 99 for those of the last century. */
function startOf(year: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, 0, 1);
  return date;
}

const daysBetween = (from: Date, to: Date): number =>
  Math.floor((to.getTime() - from.getTime()) / (daySeconds * 1000));

export const weekdays: readonly string[] = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(
  " ",
);
export const months: readonly string[] =
  "January February March April May June July August September October November December".split(" ");

/** Week of the year (ISO 8601) and its year. */
export function isoWeek({ year, yearDay, weekday }: BrokenTime): { week: number; year: number } {
  const day = weekday === 0 ? 7 : weekday;
  const week = Math.floor((yearDay + 11 - day) / 7);
  if (week < 1) return { week: weeksOf(year - 1), year: year - 1 };
  return week > weeksOf(year) ? { week: 1, year: year + 1 } : { week, year };
}

function weeksOf(year: number): number {
  const first = startOf(year).getUTCDay();
  return first === 4 || (isLeapYear(year) && first === 3) ? 53 : 52;
}
