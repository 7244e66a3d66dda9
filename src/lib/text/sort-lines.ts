import { compareCodePoints } from "../json/code-point-order.ts";
import { shuffle } from "../random/shuffle.ts";
import { createSeededRandom } from "../seeded-random.ts";
import { compareNatural, compareNumbers, type LineOrder } from "./line-order.ts";

export interface LineSort {
  order: "asc" | "desc" | "keep" | "reverse" | "shuffle";
  by: "text" | "numeric" | "natural";
  unique: boolean;
  ignoreCase: boolean;
  /** A BCP 47 tag; without it, lines are sorted by code point, which never changes. */
  locale?: string | undefined;
  seed?: string | undefined;
  /** The column to compare, from 1; without it, the whole line. */
  column?: number | undefined;
  /** Text between columns; without it, any white space. */
  separator?: string | undefined;
}

/** Sorts lines. `unique` keeps the first of identical lines; lines that only compare as equal all stay. */
export function sortLines(lines: readonly string[], options: LineSort): string[] {
  const result = options.unique ? dropRepeated(lines, options) : [...lines];
  if (options.order === "keep") return result;
  if (options.order === "reverse") return result.toReversed();
  if (options.order === "shuffle") return shuffle(result, createSeededRandom(options.seed ?? ""));
  const { column, separator } = options;
  if (column !== undefined) return sortByColumn(result, options, column, separator);
  const compare = toOrder(options);
  // Breaks ties, so that sorting a sorted list changes nothing.
  const total: LineOrder = (a, b) => compare(a, b) || compareCodePoints(a, b);
  return result.toSorted(options.order === "desc" ? (a, b) => total(b, a) : total);
}

/** Lines whose columns are equal keep their order. */
function sortByColumn(
  lines: readonly string[],
  options: LineSort,
  column: number,
  separator: string | undefined,
): string[] {
  const direction = options.order === "desc" ? -1 : 1;
  const compare = toOrder(options);
  return lines
    .map((line) => ({ line, key: columnOf(line, column, separator) }))
    .toSorted((a, b) => direction * (compare(a.key, b.key) || compareCodePoints(a.key, b.key)))
    .map(({ line }) => line);
}

function columnOf(line: string, column: number, separator: string | undefined): string {
  if (separator === undefined) return line.trim().split(/\s+/, column)[column - 1] ?? "";
  return line.split(separator, column)[column - 1] ?? "";
}

/** Returns the first of equal lines with their number and a tab before it, sorted by that number and then as `sortLines` does. */
export function countLines(lines: readonly string[], options: LineSort): string[] {
  const keyOf = (line: string): string => (options.ignoreCase ? line.toLowerCase() : line);
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
  const { order } = options;
  const isByCount = order === "asc" || order === "desc";
  const sorted = sortLines(lines, { ...options, unique: true, order: isByCount ? "asc" : order });
  const counted = sorted.map((line) => ({ line, count: counts.get(keyOf(line)) as number }));
  if (isByCount) counted.sort((a, b) => (order === "desc" ? b.count - a.count : a.count - b.count));
  return counted.map(({ line, count }) => `${count}\t${line}`);
}

function toOrder({ by, ignoreCase, locale }: LineSort): LineOrder {
  if (by === "numeric") return compareNumbers;
  if (locale !== undefined) {
    const sensitivity = ignoreCase ? "accent" : "variant";
    return new Intl.Collator(locale, { numeric: by === "natural", sensitivity }).compare;
  }
  const plain = by === "natural" ? compareNatural : compareCodePoints;
  return ignoreCase ? (a, b) => plain(a.toLowerCase(), b.toLowerCase()) : plain;
}

function dropRepeated(lines: readonly string[], { ignoreCase }: LineSort): string[] {
  const seen = new Set<string>();
  return lines.filter((line) => {
    const key = ignoreCase ? line.toLowerCase() : line;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
