import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { decimalKey, isWhole, toDecimal } from "../number/decimal.ts";

/**
 * What a query does with numbers. JSONata has doubles and nothing else (IEEE 754).
 * - `select`: compares and passes them on, at most.
 * - `compute`: calculates with them.
 * - `write`: makes text of them too, for which it rounds fractions to 15 digits.
 */
export type NumberUse = "select" | "compute" | "write";

/** Whether a number comes through that use with its value, as far as doubles have values at all. */
export function isCarried(text: string, use: NumberUse): boolean {
  const decimal = toDecimal(text);
  const { sign, digits, scale } = decimal;
  if (sign === 0) return true;
  const double = Number(text);
  if (double === 0 || !Number.isFinite(double)) return false;
  if (digits.length <= 15) return true;
  if (isWhole(decimal)) {
    return BigInt(digits) * 10n ** BigInt(scale - digits.length) === BigInt(Math.abs(double));
  }
  // 17 digits tell every double from every other: fractions with more were never doubles.
  return use === "write" ? false : digits.length <= 17;
}

/** How a document writes its numbers. */
export interface Notation {
  /** The text of a double, if the document writes it in one way only. */
  textOf(double: number): string | undefined;
  /** Whether several numbers that are not equal are this one as doubles. */
  isShared(double: number): boolean;
}

/** @param literals Numbers that those of the document may be compared with; how they are written does not count. */
export function readNotation(document: Value, literals: readonly string[]): Notation {
  const texts = new Map<number, string>();
  const ambiguous = new Set<number>();
  const shared = new Set<number>();
  for (const text of numbersOf(document)) {
    const double = Number(text);
    const known = texts.get(double);
    if (known === undefined) texts.set(double, text);
    else if (known !== text && !shared.has(double)) {
      ambiguous.add(double);
      if (!areEqual(known, text)) shared.add(double);
    }
  }
  for (const literal of literals) {
    const known = texts.get(Number(literal));
    if (known !== undefined && !areEqual(known, literal)) shared.add(Number(literal));
  }
  return {
    textOf: (double) => (ambiguous.has(double) ? undefined : texts.get(double)),
    isShared: (double) => shared.has(double),
  };
}

const areEqual = (a: string, b: string): boolean => decimalKey(toDecimal(a)) === decimalKey(toDecimal(b));

function* numbersOf(document: Value): Generator<string> {
  const open: Value[] = [document];
  for (;;) {
    const value = open.pop();
    if (value === undefined) return;
    if (isList(value)) for (const item of value) open.push(item);
    else if (isDictionary(value)) for (const item of value.values()) open.push(item);
    else if (isLiteral(value)) yield value.text;
  }
}
