import { counted } from "../../../../lib/counted.ts";
import type { Json } from "./json.ts";

/** Names of members that hold a time in seconds or milliseconds. */
const timeNames =
  /(?:^|[_-])(?:iat|exp|nbf|auth_time|time|timestamp|date|ts|at)$|(?:At|Time|Date|Since|Until|Before|After)$/;
const sizeNames = /(?:^|[_-])(?:bytes|size)$|(?:Bytes|Size)$/;

/** Returns what a scalar means to a person: how long ago a time is, or a size in larger units; undefined if it is neither. */
export function hintOf(name: string, value: Json, now = Date.now()): string | undefined {
  if (value.kind === "string" && /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/.test(value.text))
    return toAge(Date.parse(value.text), now);
  if (value.kind !== "number") return undefined;
  const number = Number(value.text);
  if (timeNames.test(name) && number >= 1e8 && number < 1e14)
    return toAge(number < 1e11 ? number * 1000 : number, now);
  return sizeNames.test(name) && number >= 1024 ? toSize(number) : undefined;
}

const units = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** Returns how far an instant is from now, such as "in 3 hours"; undefined if it is no instant. Both are epoch milliseconds. */
export function toAge(time: number, now = Date.now()): string | undefined {
  if (Number.isNaN(time)) return undefined;
  for (const [unit, size] of units)
    if (Math.abs(time - now) >= size) return words.format(Math.trunc((time - now) / size), unit);
  return "now";
}

/**
 * Returns how far an instant is from now in two units, such as "1 year and 10 months ago"; undefined if it is no instant. Both are
 * epoch milliseconds.
 */
export function toLongAge(time: number, now = Date.now()): string | undefined {
  const short = toAge(time, now);
  const [early, late] = time < now ? [time, now] : [now, time];
  const months = monthsBetween(new Date(early), new Date(late));
  const parts: (readonly [count: number, unit: string])[] =
    months >= 12
      ? [
          [Math.floor(months / 12), "year"],
          [months % 12, "month"],
        ]
      : divide(late - early);
  if (short === undefined || short === "now" || (months > 0 && months < 12)) return short;
  const span = parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => counted(count, unit))
    .join(" and ");
  return time > now ? `in ${span}` : `${span} ago`;
}

/** Returns a number of milliseconds as its largest unit below a month and the next smaller one. */
function divide(span: number): (readonly [count: number, unit: string])[] {
  const small = units.slice(2);
  const first = small.findIndex(([, size]) => span >= size);
  const [unit, size] = small[first] ?? ["second", 1000];
  const [next, nextSize] = small[first + 1] ?? ["", Infinity];
  return [
    [Math.floor(span / size), unit],
    [Math.floor((span % size) / nextSize), next],
  ];
}

/** Returns the whole months of the calendar, in UTC, from one instant to a later one. */
function monthsBetween(early: Date, late: Date): number {
  const months =
    (late.getUTCFullYear() - early.getUTCFullYear()) * 12 + late.getUTCMonth() - early.getUTCMonth();
  const reached = new Date(early);
  reached.setUTCMonth(reached.getUTCMonth() + months);
  return reached > late ? months - 1 : months;
}

/** Returns a size in bytes as people read it, such as "2.4 KB". */
export function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), 5);
  return `${(bytes / 1000 ** power).toFixed(1).replace(/\.0$/, "")} ${["B", "KB", "MB", "GB", "TB", "PB"][power]}`;
}
