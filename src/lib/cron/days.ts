import type { CronField } from "./field.ts";
import type { CronExpression } from "./parse.ts";

/** The last year searched for a run. */
const lastYear = 2999;

const msPerDay = 86_400_000;

/** Returns the first matching day as days since 1970-01-01, or undefined if none matches. */
export type DayFinder = (from: number) => number | undefined;

/**
 * Finds the first day that matches the day, month, weekday and year fields. Skips months and years that do
 * not match as a whole.
 * @param bothDays Whether day of month and day of week must both match if both restrict the day.
 */
export function createDayFinder({ fields }: CronExpression, bothDays: boolean): DayFinder {
  const fieldOf = (name: string): CronField | undefined => fields.find((field) => field.name === name);
  const months = toSet(fieldOf("month"));
  const years = toSet(fieldOf("year"));
  const ofMonth = matchField(fieldOf("day of month"), ({ day }) => day, toSpecialDay);
  const ofWeek = matchField(fieldOf("day of week"), ({ weekday }) => weekday, toSpecialWeekday);
  const matches = toDayMatcher(ofMonth, ofWeek, bothDays);

  return (from) => {
    const start = new Date(from * msPerDay);
    let day = start.getUTCDate();
    let month = start.getUTCMonth() + 1;
    for (let year = start.getUTCFullYear(); year <= lastYear; year++) {
      if (years === undefined || years.has(year)) {
        for (; month <= 12; month++) {
          if (months === undefined || months.has(month)) {
            const first = toDays(year, month);
            const last = toDays(year, month + 1) - first;
            for (; day <= last; day++)
              if (matches({ day, last, weekday: weekdayOf(first + day - 1) })) return first + day - 1;
          }
          day = 1;
        }
      }
      day = 1;
      month = 1;
    }
    return undefined;
  };
}

interface Day {
  /** Day of the month, from 1. */
  day: number;
  /** The last day of the month. */
  last: number;
  /** Day of the week; 0 is Sunday. */
  weekday: number;
}

type DayMatcher = (day: Day) => boolean;

const toSet = (field: CronField | undefined): ReadonlySet<number> | undefined =>
  field === undefined || field.any ? undefined : new Set(field.values);

function toDayMatcher(
  ofMonth: DayMatcher | undefined,
  ofWeek: DayMatcher | undefined,
  bothDays: boolean,
): DayMatcher {
  if (ofMonth === undefined) return ofWeek ?? (() => true);
  if (ofWeek === undefined) return ofMonth;
  return bothDays ? (day) => ofMonth(day) && ofWeek(day) : (day) => ofMonth(day) || ofWeek(day);
}

/** Returns a test for one field, or undefined if the field does not restrict anything. */
function matchField(
  field: CronField | undefined,
  valueOf: (day: Day) => number,
  toSpecial: (text: string) => DayMatcher,
): DayMatcher | undefined {
  if (field === undefined || field.any) return undefined;
  const values = new Set(field.values);
  const special = field.special.map(toSpecial);
  return (day) => values.has(valueOf(day)) || special.some((matches) => matches(day));
}

/** L, L-5, LW, L-5W or 15W. */
function toSpecialDay(text: string): DayMatcher {
  const [, back, lastWeekday, nearest] = /^(?:L(?:-(\d+))?(W)?|(\d+)W)$/.exec(text) ?? [];
  if (nearest !== undefined) return (day) => day.day === nearestWeekday(Number(nearest), day);
  const before = Number(back ?? 0);
  if (lastWeekday === undefined) return ({ day, last }) => day === last - before;
  return (day) => day.day === nearestWeekday(day.last - before, day);
}

/**
 * Returns the weekday nearest to a day of the month of `beside`, in the same month; NaN if that day does not
 * exist.
 */
function nearestWeekday(wanted: number, beside: Day): number {
  if (wanted < 1 || wanted > beside.last) return Number.NaN;
  const weekday = (((beside.weekday + wanted - beside.day) % 7) + 7) % 7;
  if (weekday === 0) return wanted === beside.last ? wanted - 2 : wanted + 1;
  if (weekday === 6) return wanted === 1 ? wanted + 2 : wanted - 1;
  return wanted;
}

/** 5L, the last Friday of the month; 5#3, the third; 6, a Saturday. */
function toSpecialWeekday(text: string): DayMatcher {
  const weekday = Number(text[0]);
  if (text.endsWith("L")) return (day) => day.weekday === weekday && day.day + 7 > day.last;
  if (!text.includes("#")) return (day) => day.weekday === weekday;
  const nth = Number(text.slice(2));
  return (day) => day.weekday === weekday && Math.ceil(day.day / 7) === nth;
}

/** Returns the first of a month as days since 1970-01-01; month thirteen is January of the next year. */
const toDays = (year: number, month: number): number => {
  // Date.UTC maps the years 0 to 99 to the twentieth century; 400 years are whole weeks.
  const shifted = year < 100 ? year + 400 : year;
  return Date.UTC(shifted, month - 1, 1) / msPerDay - (shifted - year === 0 ? 0 : daysPerCycle);
};

/** Days in 400 years, after which the calendar repeats. */
const daysPerCycle = 146_097;

/** 1970-01-01 was a Thursday. */
const weekdayOf = (days: number): number => (((days + 4) % 7) + 7) % 7;
