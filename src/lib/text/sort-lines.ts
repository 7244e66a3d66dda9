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
}

/** Sorts lines. `unique` keeps the first of identical lines; lines that only compare as equal all stay. */
export function sortLines(lines: readonly string[], options: LineSort): string[] {
  const result = options.unique ? dropRepeated(lines, options) : [...lines];
  if (options.order === "keep") return result;
  if (options.order === "reverse") return result.toReversed();
  if (options.order === "shuffle") return shuffle(result, createSeededRandom(options.seed ?? ""));
  const compare = toOrder(options);
  // Breaks ties, so that sorting a sorted list changes nothing.
  const total: LineOrder = (a, b) => compare(a, b) || compareCodePoints(a, b);
  return result.toSorted(options.order === "desc" ? (a, b) => total(b, a) : total);
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
