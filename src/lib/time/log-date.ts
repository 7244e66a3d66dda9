import { DocumentFault } from "../fault.ts";
import { months } from "./http-date.ts";
import type { ReadTime } from "./read.ts";

const patterns: readonly (readonly [format: string, pattern: RegExp])[] = [
  // Git's default, with an offset after the year.
  [
    "git",
    /^(?:[A-Z][a-z]{2} )?(?<month>[A-Z][a-z]{2}) {1,2}(?<day>\d{1,2}) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4}) (?<zone>[+-]\d{4})$/,
  ],
  // date(1)
  [
    "date",
    /^(?:[A-Z][a-z]{2} )?(?<month>[A-Z][a-z]{2}) {1,2}(?<day>\d{1,2}) (?<time>\d{2}:\d{2}:\d{2}) (?<zone>[A-Z]{1,5}) (?<year>\d{4})$/,
  ],
  // The common log format of Apache and nginx.
  [
    "clf",
    /^\[?(?<day>\d{2})\/(?<month>[A-Z][a-z]{2})\/(?<year>\d{4}):(?<time>\d{2}:\d{2}:\d{2}) (?<zone>[+-]\d{4})\]?$/,
  ],
];

/**
 * Reads the dates of git, date(1) and the common log format; undefined if the text is none.
 * @throws DocumentFault for an abbreviated zone: CST is a time zone of three continents.
 */
export function readLogDate(text: string): ReadTime | undefined {
  for (const [format, pattern] of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const { month = "", day = "", year = "", time = "", zone = "" } = groups;
    const number = months.indexOf(month) + 1;
    if (number === 0) return undefined;
    const offset = /^(?:UTC|GMT|Z)$/.test(zone) ? "Z" : zone;
    if (/^[A-Z]{2,}$/.test(offset))
      throw new DocumentFault(
        `${zone} stands for several time zones; remove it, write the date as ${year}-${pad(number)}-${pad(day)}T${time}, and set timeZone to a name such as Europe/Paris.`,
        { index: text.indexOf(zone) },
      );
    try {
      const instant = Temporal.Instant.from(`${year}-${pad(number)}-${pad(day)}T${time}${offset}`);
      return { format, nanoseconds: instant.epochNanoseconds };
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }
  // What Git keeps in its objects: seconds, and an offset that does not change them.
  const raw = /^@?(\d{1,12}) [+-]\d{4}$/.exec(text);
  return raw === null ? undefined : { format: "git", nanoseconds: BigInt(raw[1] ?? 0) * 1_000_000_000n };
}

const pad = (value: string | number): string => String(value).padStart(2, "0");

/** Rewrites the dates of logs that are almost ISO 8601: 2024/01/15 10:30:00,123. */
export const toIsoText = (text: string): string =>
  text
    .replace(/^(\d{4})\/(\d{2})\/(\d{2})(?=[ T]|$)/, "$1-$2-$3")
    .replace(/(:\d{2}),(\d{1,9})(?=\D|$)/, "$1.$2");
