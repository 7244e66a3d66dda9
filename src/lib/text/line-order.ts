import { compareCodePoints } from "../json/code-point-order.ts";

export type LineOrder = (a: string, b: string) => number;

/**
 * Compares by the number at the start of each line, exactly whatever its size; a line without one counts as
 * 0.
 */
export const compareNumbers: LineOrder = (a, b) => {
  const [x, y] = [toDecimal(a), toDecimal(b)];
  if (x.negative !== y.negative) return x.negative ? -1 : 1;
  const size = compareDigits(x.whole, y.whole) || compareCodePoints(x.fraction, y.fraction);
  return x.negative ? -size : size;
};

/** Compares by text, and digits by their value: item2 before item10. */
export const compareNatural: LineOrder = (a, b) => {
  let at = 0;
  let to = 0;
  while (at < a.length && to < b.length) {
    if (isDigit(a, at) && isDigit(b, to)) {
      const [x, y] = [readDigits(a, at), readDigits(b, to)];
      const size = compareDigits(withoutZeros(x), withoutZeros(y));
      if (size !== 0) return size;
      at += x.length;
      to += y.length;
    } else {
      const [x, y] = [a.codePointAt(at) as number, b.codePointAt(to) as number];
      if (x !== y) return x - y;
      at += x > 0xffff ? 2 : 1;
      to += x > 0xffff ? 2 : 1;
    }
  }
  return a.length - at - (b.length - to);
};

interface Decimal {
  negative: boolean;
  whole: string;
  fraction: string;
}

function toDecimal(line: string): Decimal {
  const [, sign, whole = "", fraction = ""] = /^\s*([-+]?)(\d*)(?:\.(\d*))?/.exec(line) ?? [];
  const digits = withoutZeros(whole);
  const rest = withoutTrailingZeros(fraction);
  // There is only one zero.
  return { negative: sign === "-" && digits + rest !== "", whole: digits, fraction: rest };
}

const compareDigits = (a: string, b: string): number => a.length - b.length || compareCodePoints(a, b);

const withoutZeros = (digits: string): string => digits.replace(/^0+/, "");

/** Not by a pattern, which would scan each run of zeros again and again. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x30 && unit <= 0x39;
}

function readDigits(text: string, from: number): string {
  let end = from;
  while (isDigit(text, end)) end++;
  return text.slice(from, end);
}
