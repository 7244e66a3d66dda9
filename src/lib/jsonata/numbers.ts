import { append } from "../append.ts";
import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { decimalKey, isWhole, toDecimal } from "../number/decimal.ts";

/**
 * The use of numbers in a query. JSONata has only doubles (IEEE 754).
 * - `select`: compares and passes them on, at most.
 * - `compute`: calculates with them.
 * - `write`: also converts them to text, which rounds fractions to 15 digits.
 */
export type NumberUse = "select" | "compute" | "write";

/** Reports whether a number keeps its value in that use, as far as doubles hold it. */
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
  // 17 digits identify every double: a fraction with more digits never was a double.
  return use === "write" ? false : digits.length <= 17;
}

/** The notation of the numbers in a document. */
export interface Notation {
  /** Returns the text of a double, if the document writes it in only one way. */
  textOf(double: number): string | undefined;
  /** Reports whether several unequal numbers become this double. */
  isShared(double: number): boolean;
}

/**
 * @param literals Numbers that the document's numbers may be compared with; their notation does not matter.
 */
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
    if (isList(value)) append(open, value);
    else if (isDictionary(value)) for (const item of value.values()) open.push(item);
    else if (isLiteral(value)) yield value.text;
  }
}
