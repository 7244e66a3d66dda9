import { DocumentFault } from "../fault.ts";

export const cronDialects = ["unix", "quartz", "aws"] as const;

export type CronDialect = (typeof cronDialects)[number];

/** The values that one field of an expression may have. */
export interface FieldRule {
  name: string;
  min: number;
  max: number;
  /** Names of the values from `min` on. */
  names?: readonly string[];
  /** Whether L, W and #, which depend on the month, are allowed. */
  special?: "day" | "weekday";
  /**
   * `quartz` lets a range wrap around (22-2) and allows L, W and # only alone; `aws` also has L and W, but
   * not L-5.
   */
  dialect: CronDialect;
}

/** A parsed field, from which both the times and the description are made. */
export interface CronField {
  name: string;
  /** The text of the field. */
  source: string;
  /** Whether the field matches every value: *, ? or a step of one. */
  any: boolean;
  /** Matching values; days of the week from 0, Sunday. */
  values: number[];
  /** L, L-5, LW, L-5W, 15W, 5L and 5#3; days of the week from 0, Sunday. */
  special: string[];
}

/** @throws DocumentFault with the index, in the expression, of the invalid item. */
export function parseField(source: string, at: number, rule: FieldRule): CronField {
  const items = source.split(",");
  const field: CronField = { name: rule.name, source, any: items.some(saysNothing), values: [], special: [] };
  const values = new Set<number>();
  let index = at;
  for (const item of items) {
    const special = parseSpecial(item, index, rule);
    if (special === undefined) for (const value of parseItem(item, index, rule)) values.add(value);
    else {
      requireCompany(items, index, rule);
      field.special.push(special);
    }
    index += item.length + 1;
  }
  field.values = [...values].toSorted((a, b) => a - b);
  return field;
}

const saysNothing = (item: string): boolean => /^[*?](?:\/0*1)?$/.test(item);

/** The description library fails on a list that mixes numbered days with days relative to the month. */
function requireCompany(items: readonly string[], index: number, rule: FieldRule): void {
  if (items.length === 1) return;
  // Quartz 2: "Support for specifying 'L' with other days of the month is not implemented", and so on for each of them.
  if (rule.dialect === "quartz")
    throw new DocumentFault("In Quartz, L, W and # are not allowed in a list.", { index });
  if (rule.special === "day" && items.some((item) => /w/i.test(item)))
    throw new DocumentFault("W is not allowed in a list.", { index });
  const placed = items.filter((item) => /.L$|#/i.test(item)).length;
  if (rule.special === "weekday" && placed > 0 && placed < items.length)
    throw new DocumentFault("Days with L or # are not allowed in a list with other days of the week.", {
      index,
    });
}

/** Converts to days of the week from 0, Sunday, whatever the dialect counts from. */
const toWeekday = (value: number, rule: FieldRule): number =>
  rule.special === "weekday" ? (value - (rule.min === 1 ? 1 : 0)) % 7 : value;

function parseItem(item: string, index: number, rule: FieldRule): number[] {
  const [, range = "", step] = /^([^/]*)(?:\/(.*))?$/s.exec(item) ?? [];
  const [from, to] = parseRange(range, index, rule, step !== undefined);
  const size = rule.special === "weekday" ? 7 : rule.max - rule.min + 1;
  const by = step === undefined ? 1 : Number(step);
  // In Quartz a step must be shorter than the minute, the hour or the day.
  const longest = rule.dialect === "quartz" ? Math.min(size, rule.max) : size;
  if (step !== undefined && (!/^\d{1,4}$/.test(step) || by < 1 || by > longest))
    throw new DocumentFault(`A step of ${rule.name} must be 1 to ${longest}.`, {
      index: index + range.length + 1,
    });
  const values: number[] = [];
  for (let value = from; value <= to; value += by)
    values.push(toWeekday(value > rule.max ? value - size : value, rule));
  return values;
}

function parseRange(text: string, index: number, rule: FieldRule, stepped: boolean): [number, number] {
  // In 0 to 7 both ends are Sunday: a step over all days ends on Saturday.
  const last = rule.special === "weekday" ? rule.min + 6 : rule.max;
  if (text === "*" || (text === "?" && rule.special !== undefined && !stepped)) return [rule.min, last];
  // In Quartz /5 is 0/5.
  if (text === "" && stepped && rule.dialect === "quartz") return [rule.min, last];
  const dash = text.indexOf("-");
  if (dash < 0) {
    const from = parseValue(text, index, rule);
    return [from, stepped ? Math.max(from, last) : from];
  }
  const from = parseValue(text.slice(0, dash), index, rule);
  const to = parseValue(text.slice(dash + 1), index + dash + 1, rule);
  if (from <= to) return [from, to];
  // FRI-SUN: a range that ends on Sunday ends the week.
  if (rule.special === "weekday" && rule.min === 0 && to === 0) return [from, 7];
  if (rule.dialect === "quartz" && rule.name !== "year") return [from, to + rule.max - rule.min + 1];
  throw new DocumentFault(`The range ends before it begins; write ${rule.name} as two ranges.`, { index });
}

function parseValue(text: string, index: number, rule: FieldRule): number {
  const named = rule.names?.indexOf(text.toUpperCase()) ?? -1;
  if (named >= 0) return rule.min + named;
  const value = Number(text);
  if (/^\d{1,4}$/.test(text) && value >= rule.min && value <= rule.max) return value;
  if (/^H(?:$|\W)/.test(text))
    throw new DocumentFault(
      `H is a value that Jenkins derives from the name of the job; write a number from ${rule.min} to ${rule.max} instead.`,
      { index },
    );
  const names = rule.names === undefined ? "" : ` or a name such as ${rule.names[1]}`;
  throw new DocumentFault(`Expected ${rule.name} as a number from ${rule.min} to ${rule.max}${names}.`, {
    index,
  });
}

function parseSpecial(item: string, index: number, rule: FieldRule): string | undefined {
  const text = item.toUpperCase();
  if (rule.special === "day") return parseDay(text, index, rule);
  if (rule.special !== "weekday") return undefined;
  // L alone is the last day of the week, a Saturday.
  if (text === "L") return "6";
  const last = /^(\d|[A-Z]{3})L$/.exec(text);
  if (last !== null) return `${toWeekday(parseValue(last[1] ?? "", index, rule), rule)}L`;
  const nth = /^(\d|[A-Z]{3})#([1-5])$/.exec(text);
  if (nth !== null) return `${toWeekday(parseValue(nth[1] ?? "", index, rule), rule)}#${nth[2]}`;
  if (text.includes("#"))
    throw new DocumentFault("# needs a day of the week before it and a number from 1 to 5 after it.", {
      index,
    });
  return undefined;
}

/** Parses L, LW and 15W, and in Quartz L-5 and L-5W. In unix, 15W and WL are accepted too. */
function parseDay(text: string, index: number, rule: FieldRule): string | undefined {
  if (text === "L" || text === "LW") return text;
  const nearest = /^(\d{1,2})W$/.exec(text);
  if (nearest !== null) return `${parseValue(nearest[1] ?? "", index, rule)}W`;
  const back = /^L-(\d+)(W?)$/.exec(text);
  if (back !== null) {
    const [, days = "", weekday = ""] = back;
    if (rule.dialect !== "quartz")
      throw new DocumentFault("Only Quartz accepts L with a number of days; L is the last day.", { index });
    if (days.length > 2 || Number(days) > 30)
      throw new DocumentFault("L can go back by at most 30 days: L-30.", { index: index + 2 });
    return Number(days) === 0 ? `L${weekday}` : `L-${Number(days)}${weekday}`;
  }
  const swapped = /^W(\d{1,2}|L)$/.exec(text);
  if (swapped === null) return undefined;
  const right = swapped[1] === "L" ? "LW" : `${parseValue(swapped[1] ?? "", index, rule)}W`;
  if (rule.dialect === "unix") return right;
  throw new DocumentFault(`W comes after the day: ${right}.`, { index });
}
