import { DocumentFault } from "../fault.ts";
import { type CronDialect, type CronField, type FieldRule, parseField } from "./field.ts";

export interface CronExpression {
  dialect: CronDialect;
  /** After resolving nicknames and wrappers. */
  fields: CronField[];
  /** Whether the expression has a field for seconds. */
  seconds: boolean;
}

/**
 * Parses an expression: five fields (six with `seconds`, and a year after them) of unix, six or seven of
 * Quartz, six of AWS.
 * @throws DocumentFault with the index of the fault.
 */
export function parseCron(text: string, dialect: CronDialect, seconds: boolean): CronExpression {
  const words = [...toPlain(text, dialect).matchAll(/\S+/g)];
  const rules = rulesOf(words, dialect, seconds);
  const fields = rules.map((rule, order) => {
    const { 0: source, index } = words[order] as RegExpExecArray;
    return parseField(source, index, rule);
  });
  if (dialect !== "unix") requireQuestion(words, rules);
  return { dialect, fields, seconds: rules[0]?.name === "second" };
}

const months = "JAN,FEB,MAR,APR,MAY,JUN,JUL,AUG,SEP,OCT,NOV,DEC".split(",");
const weekdays = "SUN,MON,TUE,WED,THU,FRI,SAT".split(",");

function rulesOf(words: readonly RegExpExecArray[], dialect: CronDialect, seconds: boolean): FieldRule[] {
  const weekday: FieldRule =
    dialect === "unix"
      ? { name: "day of week", min: 0, max: 7, names: weekdays, special: "weekday", dialect }
      : { name: "day of week", min: 1, max: 7, names: weekdays, special: "weekday", dialect };
  const five: FieldRule[] = [
    { name: "minute", min: 0, max: 59, dialect },
    { name: "hour", min: 0, max: 23, dialect },
    { name: "day of month", min: 1, max: 31, special: "day", dialect },
    { name: "month", min: 1, max: 12, names: months, dialect },
    weekday,
  ];
  const second: FieldRule = { name: "second", min: 0, max: 59, dialect };
  const year: FieldRule = {
    name: "year",
    min: 1970,
    max: dialect === "unix" ? 2999 : dialect === "aws" ? 2199 : 2099,
    dialect,
  };
  const count = words.length;
  if (dialect === "aws") {
    if (count === 6) return [...five, year];
    throw wrongCount(count, "AWS needs 6 fields: minute, hour, day of month, month, day of week, year");
  }
  if (dialect === "quartz" || seconds) {
    if (count === 6) return [second, ...five];
    if (count === 7) return [second, ...five, year];
    throw wrongCount(count, "Expected 6 fields, seconds first, or 7 with a year last");
  }
  if (count === 5) return five;
  if (count === 6 && /\d{4}/.test(words[5]?.[0] ?? "")) return [...five, year];
  throw wrongCount(
    count,
    "Expected 5 fields: minute, hour, day of month, month, day of week; set seconds if the first field is seconds",
  );
}

const wrongCount = (count: number, message: string): DocumentFault =>
  new DocumentFault(`${message}. There ${count === 1 ? "is" : "are"} ${count} here.`, { index: 0 });

/** Quartz and AWS do not combine day of month and day of week: one of them must be ?. */
function requireQuestion(words: readonly RegExpExecArray[], rules: readonly FieldRule[]): void {
  const days = words.filter((_, order) => rules[order]?.special !== undefined);
  if (days.filter(({ 0: source }) => source === "?").length === 1) return;
  throw new DocumentFault("Exactly one of day of month and day of week must be ?.", {
    index: days[0]?.index ?? 0,
  });
}

const nicknames = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

/** Keeps the length of the text, so that indexes stay valid, except for a nickname. */
function toPlain(text: string, dialect: CronDialect): string {
  const word = text.trim();
  if (dialect === "aws") return text.replace(/^(\s*)cron\((.*)\)(\s*)$/is, "$1     $2 $3");
  if (dialect !== "unix" || !word.startsWith("@")) return text;
  const plain = nicknames.get(word.toLowerCase());
  if (plain !== undefined) return plain;
  const known = [...nicknames.keys()].join(", ");
  throw new DocumentFault(`Known nicknames: ${known}. @reboot has no schedule.`, {
    index: text.indexOf("@"),
  });
}
