import { compareCodePoints } from "../json/code-point-order.ts";
import { shuffle } from "../random/shuffle.ts";
import { createSeededRandom } from "../seeded-random.ts";
import { compareNatural, compareNumbers, type LineOrder } from "./line-order.ts";

export interface LineSort {
  order: "asc" | "desc" | "keep" | "reverse" | "shuffle";
  by: "text" | "numeric" | "natural";
  unique: boolean;
  ignoreCase: boolean;
  /** A BCP 47 tag; without it the order is that of the code points, the same everywhere for ever. */
  locale?: string | undefined;
  seed?: string | undefined;
}

/** Lines in another order. Of equal lines the first is kept; lines that only compare as equal are all kept. */
export function sortLines(lines: readonly string[], options: LineSort): string[] {
  const result = options.unique ? dropRepeated(lines, options) : [...lines];
  if (options.order === "keep") return result;
  if (options.order === "reverse") return result.toReversed();
  if (options.order === "shuffle") return shuffle(result, createSeededRandom(options.seed ?? ""));
  const compare = toOrder(options);
  // Lines that compare as equal have an order too, so that a sorted list stays as it is.
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
