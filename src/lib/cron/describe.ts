import { load } from "../load.ts";
import type { CronField } from "./field.ts";
import type { CronExpression } from "./parse.ts";

export interface DescribeOptions {
  verbose: boolean;
  clock: "12h" | "24h";
  bothDays: boolean;
}

/** Describes the schedule in an English sentence without a full stop. */
export async function describeCron(expression: CronExpression, options: DescribeOptions): Promise<string> {
  const { toString } = await load("cronstrue");
  const { fields, seconds, dialect } = expression;
  const words = fields.map(toWord);
  const years = fields.at(-1)?.name === "year";
  // With six fields the library guesses whether seconds or years are present; with seven it need not.
  if (seconds !== years) {
    if (seconds) words.push("*");
    else words.unshift("0");
  }
  const text = toString(words.join(" "), {
    verbose: options.verbose,
    use24HourTimeFormat: options.clock === "24h",
    dayOfWeekStartIndexZero: dialect === "unix",
    logicalAndDayFields: options.bothDays,
  });
  const near = fields.some(isNearLast)
    ? text.replace(/\d+ days? before the last day/, (days) => `on the weekday nearest ${days}`)
    : text;
  return repeatsInHours(fields) ? near.replace(/, at (?=\d\d:\d\d)/, ", only in the hours of ") : near;
}

/**
 * Whether the schedule has a list of hours and several minutes or seconds in them: the library says "at 03:00 AM and 05:00 AM", which would be
 * two times of the day.
 */
const repeatsInHours = (fields: readonly CronField[]): boolean => {
  const hours = fields.find(({ name }) => name === "hour");
  return (
    /^\d+(?:,\d+)+$/.test(hours?.source ?? "") &&
    fields.some(({ name, any, values }) => /^(?:second|minute)$/.test(name) && (any || values.length > 1))
  );
};

/** L-5W, which the library cannot describe. */
const isNearLast = ({ special }: CronField): boolean => /^L-\d+W$/.test(special[0] ?? "");

/** The library ignores * only if it stands alone, and reads only a lone L as Saturday. */
function toWord(field: CronField): string {
  const { name, any, source } = field;
  if (any) return "*";
  const word = isNearLast(field)
    ? source.slice(0, -1).toUpperCase()
    : source.toUpperCase().replace(/^\//, "*/");
  return name === "day of week" && word.includes(",") ? word.replaceAll(/(?<=^|,)L(?=,|$)/g, "SAT") : word;
}

/** Returns the shortest notation of what each field matches. */
export const tableOf = (
  fields: readonly CronField[],
): { field: string; expression: string; values: string }[] =>
  fields.map((field) => ({ field: field.name, expression: field.source, values: valuesText(field) }));

/** Names the days of the week: dialects number them differently. */
function valuesText({ name, any, values, special }: CronField): string {
  if (any) return "*";
  const weekday = name === "day of week";
  const say = (value: number): string => (weekday ? (weekdays[value] as string) : String(value));
  const parts: string[] = [];
  for (let at = 0; at < values.length;) {
    let end = at;
    while (values[end + 1] === (values[end] as number) + 1) end++;
    // Two values are not written as a range.
    if (end === at + 1) end = at;
    const [from, to] = [values[at] as number, values[end] as number];
    parts.push(from === to ? say(from) : `${say(from)}-${say(to)}`);
    at = end + 1;
  }
  const odd = special.map((text) => (weekday ? text.replace(/^\d/, (digit) => say(Number(digit))) : text));
  return [...parts, ...odd].join(",");
}

const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
