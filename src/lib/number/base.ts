import { DocumentFault, unlessFault } from "../fault.ts";

/** `numerator` / `base`^`places`. */
export interface BaseNumber {
  negative: boolean;
  digits: bigint;
  places: number;
  base: number;
}

const prefixes = new Map([
  ["0x", 16],
  ["0o", 8],
  ["0b", 2],
]);

/** Most digits, so that the arithmetic of a call takes milliseconds. */
const maxDigits = 10_000;
const maxPlaces = 200;

/**
 * Parses an integer or a number with a point. `auto` uses the prefix 0x, 0o or 0b and is decimal without one;
 * a named base accepts its own prefix too. An underscore may separate two digits.
 * @throws DocumentFault with the index of the character that is not a digit of that base.
 */
export function parseBase(text: string, from: number | "auto"): BaseNumber {
  let at = /^[+-]/.test(text) ? 1 : 0;
  const prefixed = prefixes.get(text.slice(at, at + 2).toLowerCase());
  // In base 16 and above, 0b is a number: 11.
  const prefix = prefixed !== undefined && (from === "auto" || from === prefixed);
  const base = from === "auto" ? (prefixed ?? 10) : from;
  if (prefix) at += 2;
  const start = at;
  let digits = "";
  let point = -1;
  for (; at < text.length; at++) {
    const character = text[at] as string;
    if (character === "_" && isDigit(text[at - 1], base, start < at) && isDigit(text[at + 1], base, true))
      continue;
    if (character === "." && point < 0) point = digits.length;
    else if (isDigit(character, base, true)) digits += character;
    else throw new DocumentFault(`Expected digits of base ${base}.`, { index: at });
    if (digits.length > maxDigits)
      throw new DocumentFault(`A number can have at most ${maxDigits} digits here.`, { index: at });
  }
  if (digits === "" || point === digits.length || point === 0)
    throw new DocumentFault(`Expected a number in base ${base}.`, { index: Math.min(start, text.length) });
  const places = point < 0 ? 0 : digits.length - point;
  if (places > maxPlaces)
    throw new DocumentFault(`A number can have at most ${maxPlaces} digits after the point here.`, {
      index: text.indexOf(".") + 1,
    });
  return { negative: text.startsWith("-"), digits: toBigInt(digits, base), places, base };
}

/** Returns the usual base in which a text is a number, if it is one: letters are digits of a higher base. */
export function findBase(text: string): number | undefined {
  return [10, 16, 36].find((base) => unlessFault(() => parseBase(text, base)) !== undefined);
}

/**
 * Converts the number to another base: exactly, or rounded to at most `max` digits after the point, halves away from 0.
 * @throws DocumentFault if `max` is undefined and the fraction does not end in that base, such as 0.1 in base 2.
 */
export function formatBase(number: BaseNumber, to: number, max?: number): string {
  const { negative, digits, places, base } = number;
  const scale = BigInt(base) ** BigInt(places);
  const sign = negative && digits > 0n ? "-" : "";
  const whole = (digits / scale).toString(to);
  let rest = digits % scale;
  if (rest === 0n) return sign + whole;
  // A fraction that ends has at most as many digits as its denominator has factors of two, one per bit.
  const limit = max ?? Math.ceil(places * Math.log2(base));
  let fraction = "";
  while (rest > 0n) {
    if (fraction.length === limit) {
      if (max !== undefined) return round(number, to, max);
      throw new DocumentFault(
        `In base ${to} the digits after the point do not end. To round the number, set digits, such as to 20.`,
        { index: 0 },
      );
    }
    rest *= BigInt(to);
    fraction += (rest / scale).toString(to);
    rest %= scale;
  }
  return `${sign}${whole}.${fraction}`;
}

function round({ negative, digits, places, base }: BaseNumber, to: number, max: number): string {
  const scale = BigInt(base) ** BigInt(places);
  const rounded = (2n * digits * BigInt(to) ** BigInt(max) + scale) / (2n * scale);
  const text = rounded.toString(to).padStart(max + 1, "0");
  const whole = text.slice(0, text.length - max);
  const fraction = text.slice(text.length - max).replace(/0+$/, "");
  const sign = negative && rounded > 0n ? "-" : "";
  return sign + whole + (fraction === "" ? "" : `.${fraction}`);
}

function isDigit(character: string | undefined, base: number, allowed: boolean): boolean {
  if (!allowed || character === undefined || !/^[\da-z]$/i.test(character)) return false;
  return parseInt(character, 36) < base;
}

/** Splits in halves, so that the time grows less than quadratically. */
function toBigInt(digits: string, base: number): bigint {
  if (digits.length <= 8) return BigInt(parseInt(digits, base));
  const half = digits.length >> 1;
  const high = toBigInt(digits.slice(0, -half), base);
  return high * BigInt(base) ** BigInt(half) + toBigInt(digits.slice(-half), base);
}
