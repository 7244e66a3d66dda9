import { type BrokenTime, fromSeconds, months, weekdays, withDays } from "./time.ts";

interface Parts extends BrokenTime {
  afternoon?: boolean;
  /** `%j` without a date. */
  ordinal?: number;
}

/** Reads a time as `strptime` of C does, in the locale C; returns undefined if the text does not match. */
export function parseTime(text: string, format: string): BrokenTime | undefined {
  const parts: Parts = {
    year: 1900,
    month: 0,
    day: 0,
    hour: 0,
    minute: 0,
    second: 0,
    weekday: 0,
    yearDay: 0,
  };
  const end = parseParts(text, format, 0, parts);
  if (end !== text.length) return undefined;
  const { afternoon, ordinal, ...time } = parts;
  if (afternoon !== undefined) time.hour = (time.hour % 12) + (afternoon ? 12 : 0);
  if (ordinal !== undefined && time.day === 0) {
    time.month = 0;
    time.day = ordinal;
  }
  return withDays(time);
}

/** Returns the end of what matched, or -1. */
function parseParts(text: string, format: string, from: number, parts: Parts): number {
  let at = from;
  for (let index = 0; index < format.length; index++) {
    const unit = format[index] as string;
    if (/\s/.test(unit)) {
      at = skipSpace(text, at);
    } else if (unit !== "%") {
      if (text[at] !== unit) return -1;
      at++;
    } else {
      index++;
      while (/[-_0^#EO]/.test(format[index] ?? "")) index++;
      const letter = format[index] ?? "";
      const composed = compositions[letter];
      at = composed === undefined ? parseOne(letter, text, at, parts) : parseParts(text, composed, at, parts);
      if (at < 0) return -1;
    }
  }
  return at;
}

const compositions: Readonly<Record<string, string>> = {
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  R: "%H:%M",
  T: "%H:%M:%S",
  r: "%I:%M:%S %p",
  c: "%a %b %e %H:%M:%S %Y",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

/** Numbers: the most digits, the range, and where they go. */
const numbers: Readonly<
  Record<string, [digits: number, least: number, most: number, set: (parts: Parts, value: number) => void]>
> = {
  Y: [4, 0, 9999, (parts, value) => (parts.year = value)],
  y: [2, 0, 99, (parts, value) => (parts.year = value < 69 ? 2000 + value : 1900 + value)],
  C: [2, 0, 99, (parts, value) => (parts.year = value * 100 + (parts.year % 100))],
  m: [2, 1, 12, (parts, value) => (parts.month = value - 1)],
  d: [2, 1, 31, (parts, value) => (parts.day = value)],
  e: [2, 1, 31, (parts, value) => (parts.day = value)],
  H: [2, 0, 23, (parts, value) => (parts.hour = value)],
  k: [2, 0, 23, (parts, value) => (parts.hour = value)],
  I: [2, 1, 12, (parts, value) => (parts.hour = value)],
  l: [2, 1, 12, (parts, value) => (parts.hour = value)],
  M: [2, 0, 59, (parts, value) => (parts.minute = value)],
  S: [2, 0, 61, (parts, value) => (parts.second = value)],
  j: [3, 1, 366, (parts, value) => (parts.ordinal = value)],
  u: [1, 1, 7, () => {}],
  w: [1, 0, 6, () => {}],
  U: [2, 0, 53, () => {}],
  W: [2, 0, 53, () => {}],
  V: [2, 0, 53, () => {}],
  G: [4, 0, 9999, () => {}],
  g: [2, 0, 99, () => {}],
};

function parseOne(letter: string, text: string, from: number, parts: Parts): number {
  const number = numbers[letter];
  if (number !== undefined) {
    const [digits, least, most, set] = number;
    const start = skipSpace(text, from);
    const found = /^\d+/.exec(text.slice(start, start + digits))?.[0] ?? "";
    const value = Number(found);
    if (found === "" || value < least || value > most) return -1;
    set(parts, value);
    return start + found.length;
  }
  switch (letter) {
    case "%":
      return text[from] === "%" ? from + 1 : -1;
    case "n":
    case "t":
      return skipSpace(text, from);
    case "a":
    case "A":
      return parseName(weekdays, text, from, () => {});
    case "b":
    case "B":
    case "h":
      return parseName(months, text, from, (month) => (parts.month = month));
    case "p":
    case "P": {
      const word = text.slice(from, from + 2).toUpperCase();
      if (word !== "AM" && word !== "PM") return -1;
      parts.afternoon = word === "PM";
      return from + 2;
    }
    case "s": {
      const digits = /^[+-]?\d+/.exec(text.slice(from, from + 20))?.[0];
      const time = digits === undefined ? undefined : fromSeconds(Number(digits));
      if (digits === undefined || time === undefined) return -1;
      Object.assign(parts, time);
      return from + digits.length;
    }
    case "z": {
      const zone = /^(?:Z|[+-]\d{2}(?::?\d{2})?)/.exec(text.slice(from, from + 6))?.[0];
      return zone === undefined ? -1 : from + zone.length;
    }
    case "Z": {
      const zone = /^[A-Za-z]+/.exec(text.slice(from, from + 32))?.[0];
      return zone === undefined ? -1 : from + zone.length;
    }
    default:
      return -1;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

function parseName(names: readonly string[], text: string, from: number, set: (at: number) => void): number {
  const rest = text.slice(from, from + 9).toLowerCase();
  const at = names.findIndex((name) => rest.startsWith(name.slice(0, 3).toLowerCase()));
  const name = names[at]?.toLowerCase();
  if (name === undefined) return -1;
  set(at);
  return from + (rest.startsWith(name) ? name.length : 3);
}
