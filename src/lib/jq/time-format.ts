import type { Meter } from "./meter.ts";
import { type BrokenTime, isoWeek, months, toSeconds, weekdays } from "./time.ts";

/** Most characters that a directive writes. */
const maxWritten = 64;

/** Writes a time as `strftime` of C does, in UTC and the locale C. An unknown directive is written as it is. @throws BudgetError */
export function formatTime(time: BrokenTime, format: string, meter: Meter): string {
  meter.text(format.length);
  let result = "";
  let at = 0;
  for (let next = format.indexOf("%"); next >= 0; next = format.indexOf("%", at)) {
    meter.text(maxWritten);
    const directive = /^%[-_0^#]?[EO]?[A-Za-z%+]/.exec(format.slice(next, next + 4))?.[0] ?? "%";
    result += format.slice(at, next) + formatPart(time, directive);
    at = next + directive.length;
  }
  return result + format.slice(at);
}

function formatPart(time: BrokenTime, directive: string): string {
  const write = directives[directive.at(-1) as string];
  if (write === undefined || directive === "%") return directive;
  const text = write(time);
  const flag = directive[1];
  if (flag === "-") return text.replace(/^[0 ]+(?=\d)/, "");
  if (flag === "_") return text.replace(/^0+(?=\d)/, (zeros) => " ".repeat(zeros.length));
  return flag === "^" ? text.toUpperCase() : text;
}

const pad = (value: number, width = 2, fill = "0"): string => String(value).padStart(width, fill);
const second = (time: BrokenTime): string => pad(Math.floor(time.second));
const hour12 = ({ hour }: BrokenTime): number => hour % 12 || 12;
const nameOf = (names: readonly string[], at: number): string => names[at] ?? "?";
const yearOf = ({ year }: BrokenTime): string => String(year);

const clock = (time: BrokenTime): string => `${pad(time.hour)}:${pad(time.minute)}:${second(time)}`;
const usDate = (time: BrokenTime): string =>
  `${pad(time.month + 1)}/${pad(time.day)}/${pad(((time.year % 100) + 100) % 100)}`;

const directives: Readonly<Record<string, (time: BrokenTime) => string>> = {
  "%": () => "%",
  a: ({ weekday }) => nameOf(weekdays, weekday).slice(0, 3),
  A: ({ weekday }) => nameOf(weekdays, weekday),
  b: ({ month }) => nameOf(months, month).slice(0, 3),
  B: ({ month }) => nameOf(months, month),
  c: (time) =>
    `${nameOf(weekdays, time.weekday).slice(0, 3)} ${nameOf(months, time.month).slice(0, 3)} ${pad(time.day, 2, " ")} ${clock(time)} ${yearOf(time)}`,
  C: ({ year }) => pad(Math.floor(year / 100)),
  d: ({ day }) => pad(day),
  D: usDate,
  e: ({ day }) => pad(day, 2, " "),
  F: (time) => `${yearOf(time)}-${pad(time.month + 1)}-${pad(time.day)}`,
  g: (time) => pad(((isoWeek(time).year % 100) + 100) % 100),
  G: (time) => String(isoWeek(time).year),
  h: ({ month }) => nameOf(months, month).slice(0, 3),
  H: ({ hour }) => pad(hour),
  I: (time) => pad(hour12(time)),
  j: ({ yearDay }) => pad(yearDay + 1, 3),
  k: ({ hour }) => pad(hour, 2, " "),
  l: (time) => pad(hour12(time), 2, " "),
  m: ({ month }) => pad(month + 1),
  M: ({ minute }) => pad(minute),
  n: () => "\n",
  p: ({ hour }) => (hour < 12 ? "AM" : "PM"),
  P: ({ hour }) => (hour < 12 ? "am" : "pm"),
  r: (time) => `${pad(hour12(time))}:${pad(time.minute)}:${second(time)} ${time.hour < 12 ? "AM" : "PM"}`,
  R: ({ hour, minute }) => `${pad(hour)}:${pad(minute)}`,
  s: (time) => String(Math.floor(toSeconds(time))),
  S: second,
  t: () => "\t",
  T: clock,
  u: ({ weekday }) => String(weekday === 0 ? 7 : weekday),
  U: ({ yearDay, weekday }) => pad(Math.floor((yearDay + 7 - weekday) / 7)),
  V: (time) => pad(isoWeek(time).week),
  w: ({ weekday }) => String(weekday),
  W: ({ yearDay, weekday }) => pad(Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7)),
  x: usDate,
  X: clock,
  y: ({ year }) => pad(((year % 100) + 100) % 100),
  Y: yearOf,
  z: () => "+0000",
  Z: () => "UTC",
};
