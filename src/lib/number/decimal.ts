/** An exact decimal number: `sign` × 0.`digits` × 10^`scale`. */
export interface Decimal {
  /** -1, 0 or 1; zero has 0, whatever its sign. */
  sign: -1 | 0 | 1;
  /** Without zeros at either end; "" is zero. */
  digits: string;
  scale: number;
}

/** Largest exponent distinguished: nobody can write out a larger number. */
const maxExponent = 2 ** 50;

/** Parses a number of JSON's grammar. Linear in the text, whatever the exponent. */
export function toDecimal(text: string): Decimal {
  const negative = text.startsWith("-");
  const lower = text.indexOf("e");
  const e = lower < 0 ? text.indexOf("E") : lower;
  const mantissa = text.slice(negative ? 1 : 0, e < 0 ? text.length : e);
  const exponent = e < 0 ? 0 : Math.max(-maxExponent, Math.min(maxExponent, Number(text.slice(e + 1))));
  const point = mantissa.indexOf(".");
  const all = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  let from = 0;
  let to = all.length;
  while (from < to && all.charCodeAt(from) === 0x30) from++;
  while (to > from && all.charCodeAt(to - 1) === 0x30) to--;
  if (from === to) return { sign: 0, digits: "", scale: 0 };
  const whole = point < 0 ? all.length : point;
  return { sign: negative ? -1 : 1, digits: all.slice(from, to), scale: whole - from + exponent };
}

/** Returns less than, equal to or greater than 0, like a comparator. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.scale !== b.scale) return a.sign * (a.scale - b.scale);
  // Fractions of the same scale compare like their digits.
  return a.digits === b.digits ? 0 : a.sign * (a.digits < b.digits ? -1 : 1);
}

/**
 * Like `compareDecimals` on text. Doubles order numbers of up to fifteen digits correctly, and are ten times
 * as fast.
 */
export function compareNumbers(a: string, b: string): number {
  if (isShort(a) && isShort(b)) return Number(a) - Number(b);
  return compareDecimals(toDecimal(a), toDecimal(b));
}

const isShort = (text: string): boolean => text.length <= 15 && !text.includes("e") && !text.includes("E");

/** Returns equal texts for equal values: 1.0, 1 and 10e-1 are one number. */
export function decimalKey({ sign, digits, scale }: Decimal): string {
  return sign === 0 ? "0" : `${sign < 0 ? "-" : ""}${digits}e${scale}`;
}

/** `isWhole` for text; most numbers have no point. */
export const isWholeNumber = (text: string): boolean => !/[.eE]/.test(text) || isWhole(toDecimal(text));

/** Reports whether the value is an integer, as 1.0 and 1e2 are. */
export const isWhole = ({ digits, scale }: Decimal): boolean => scale >= digits.length;

/** Reports whether `value` is an exact multiple of `unit`, which must not be zero. */
export function isMultipleOf(value: Decimal, unit: Decimal): boolean {
  if (value.sign === 0) return true;
  if (unit.sign === 0) return false;
  const shift = value.scale - value.digits.length - (unit.scale - unit.digits.length);
  // The digits do not end in zero, so 10 does not divide them.
  if (shift < 0) return false;
  const divisor = BigInt(unit.digits);
  return (BigInt(value.digits) * powerOfTen(shift, divisor)) % divisor === 0n;
}

/** 10^exponent modulo `modulus`, by squaring: an exponent of a billion takes thirty steps. */
function powerOfTen(exponent: number, modulus: bigint): bigint {
  let result = 1n % modulus;
  let square = 10n % modulus;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
