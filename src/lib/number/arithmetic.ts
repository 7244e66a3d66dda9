import { type Decimal, isWhole, toDecimal } from "./decimal.ts";

/** Largest exponent written out: a sum has as many digits. */
const maxScale = 2000;

/** A decimal number: `units` × 10^-`places`. */
export interface Exact {
  readonly units: bigint;
  readonly places: number;
}

/** Converts a number of JSON's grammar; undefined if its exponent is too far from 0. */
export function toExact(text: string): Exact | undefined {
  const decimal = toDecimal(text);
  if (decimal.sign === 0) return { units: 0n, places: 0 };
  if (Math.abs(decimal.scale) > maxScale) return undefined;
  const places = Math.max(0, decimal.digits.length - decimal.scale);
  return { units: toUnits(decimal, places), places };
}

/** Writes a number without zeros at the end of its fraction, and never with an exponent. */
export const exactText = ({ units, places }: Exact): string => fromUnits(units, places);

export const addExact = (a: Exact, b: Exact): Exact => {
  const places = Math.max(a.places, b.places);
  return { units: shift(a, places) + shift(b, places), places };
};

export const multiplyExact = (a: Exact, b: Exact): Exact => ({
  units: a.units * b.units,
  places: a.places + b.places,
});

export const compareExact = (a: Exact, b: Exact): number => {
  const { units } = addExact(a, { units: -b.units, places: b.places });
  return units < 0n ? -1 : units > 0n ? 1 : 0;
};

/** The remainder has the sign of `a`. The divisor must not be 0. */
export function remainderExact(a: Exact, b: Exact): Exact {
  const places = Math.max(a.places, b.places);
  return { units: shift(a, places) % shift(b, places), places };
}

/** Digits of a quotient, as of a decimal128 (IEEE 754). */
const quotientDigits = 34;

/** Divides, exactly if the quotient has at most 34 digits, or rounded to 34, halves away from 0. The divisor must not be 0. */
export function divideExact(a: Exact, b: Exact): Exact {
  const length = (units: bigint): number => (units < 0n ? -units : units).toString().length;
  const whole = length(a.units) - a.places - (length(b.units) - b.places);
  const places = Math.max(0, quotientDigits - whole);
  const difference = places - a.places + b.places;
  const dividend = difference > 0 ? a.units * 10n ** BigInt(difference) : a.units;
  const divisor = difference < 0 ? b.units * 10n ** BigInt(-difference) : b.units;
  const quotient = dividend / divisor;
  const rest = (dividend % divisor) * 2n;
  const exceeds = (rest < 0n ? -rest : rest) >= (divisor < 0n ? -divisor : divisor);
  const away = dividend < 0n === divisor < 0n ? 1n : -1n;
  return { units: exceeds ? quotient + away : quotient, places };
}

const shift = ({ units, places }: Exact, to: number): bigint =>
  to === places ? units : units * 10n ** BigInt(to - places);

/** Returns the exact sum of decimal numbers, or undefined if their exponents are too far from 0. */
export function sumNumbers(texts: readonly string[]): string | undefined {
  const decimals = texts.map(toDecimal).filter(({ sign }) => sign !== 0);
  if (decimals.some(({ scale }) => Math.abs(scale) > maxScale)) return undefined;
  const places = decimals.reduce((max, { scale, digits }) => Math.max(max, digits.length - scale), 0);
  const total = decimals.reduce((sum, decimal) => sum + toUnits(decimal, places), 0n);
  return fromUnits(total, places);
}

/** Returns the least integer that is not smaller. */
export const ceilNumber = (text: string): string => roundTo(text, 1);

/** Returns the greatest integer that is not greater. */
export const floorNumber = (text: string): string => roundTo(text, -1);

function roundTo(text: string, direction: 1 | -1): string {
  const decimal = toDecimal(text);
  if (isWhole(decimal)) return text;
  const { sign, digits, scale } = decimal;
  const whole = scale > 0 ? BigInt(digits.slice(0, scale)) : 0n;
  const rounded = BigInt(sign) * (sign === direction ? whole + 1n : whole);
  return rounded.toString();
}

const toUnits = ({ sign, digits, scale }: Decimal, places: number): bigint =>
  BigInt(sign) * BigInt(digits) * 10n ** BigInt(places + scale - digits.length);

function fromUnits(units: bigint, places: number): string {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const fraction = places === 0 ? "" : digits.slice(-places).replace(/0+$/, "");
  return `${negative ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}
