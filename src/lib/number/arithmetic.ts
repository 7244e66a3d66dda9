import { type Decimal, isWhole, toDecimal } from "./decimal.ts";

/** Largest exponent written out: a sum has as many digits. */
const maxScale = 2000;

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
