import { toDecimal } from "../number/decimal.ts";
import type { Draw } from "./pattern.ts";

/** Rules for a number. Bounds are texts of JSON, so that none is rounded. */
export interface NumberRules {
  isInteger: boolean;
  least: string | undefined;
  most: string | undefined;
  isAboveLeast: boolean;
  isBelowMost: boolean;
  multipleOf: string | undefined;
}

/** Digits after the point that are calculated with. */
const maxScale = 60;

/** Draws a number by its rules; undefined if there is none, or its digits are too many. */
export function drawNumber(rules: NumberRules, draw: Draw): string | undefined {
  const { isInteger, least, most, multipleOf } = rules;
  const given = [least, most, multipleOf].filter((one) => one !== undefined);
  const scale = Math.max(isInteger ? 0 : 2, ...given.map(placesOf));
  if (scale > maxScale || given.some((one) => toDecimal(one).scale > 300)) return undefined;
  const one = 10n ** BigInt(scale);
  const toScaled = (text: string): bigint => {
    const { sign, digits, scale: point } = toDecimal(text);
    const shift = scale + point - digits.length;
    return BigInt(sign) * BigInt(digits || "0") * 10n ** BigInt(Math.max(shift, 0));
  };
  const unit = multipleOf === undefined ? (isInteger ? one : 1n) : toScaled(multipleOf);
  // An integer that is a multiple of 0.5 is one of the smallest common multiple.
  const step = isInteger && multipleOf !== undefined ? (unit * one) / gcd(unit, one) : unit;
  if (step <= 0n) return undefined;
  const span = 100n * one + 20n * step;
  const from =
    least !== undefined
      ? toScaled(least)
      : most !== undefined && toScaled(most) < span
        ? toScaled(most) - span
        : 0n;
  const to = most !== undefined ? toScaled(most) : from + span;
  let first = ceilDiv(from, step);
  let last = -ceilDiv(-to, step);
  if (rules.isAboveLeast && first * step === from) first++;
  if (rules.isBelowMost && last * step === to) last--;
  if (first > last) return undefined;
  const count = last - first + 1n;
  const drawn = BigInt(draw(2 ** 24)) * 2n ** 24n + BigInt(draw(2 ** 24));
  return toText((first + ((drawn * count) >> 48n)) * step, scale);
}

/** The digits after the point. */
function placesOf(text: string): number {
  const { digits, scale } = toDecimal(text);
  return Math.max(digits.length - scale, 0);
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

const ceilDiv = (a: bigint, b: bigint): bigint => (a > 0n ? (a + b - 1n) / b : a / b);

function toText(scaled: bigint, scale: number): string {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(scale + 1, "0");
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  const whole = scale === 0 ? digits : digits.slice(0, -scale);
  return `${scaled < 0n ? "-" : ""}${whole}${scale === 0 || fraction === "" ? "" : `.${fraction}`}`;
}
