import { compareValues, equalValues } from "./compare.ts";
import { raise, shown } from "./fault.ts";
import type { Meter } from "./meter.ts";
import type { BinaryOperator } from "./syntax.ts";
import {
  doubleOf,
  isArray,
  isLiteralNumber,
  isNumber,
  isObject,
  type JqObject,
  type JqValue,
} from "./value.ts";

export type Operation = (left: JqValue, right: JqValue, meter: Meter) => JqValue;

/** The functions behind the binary operators. Each raises a JqError for types that it does not take. */
export const operations: Readonly<Record<BinaryOperator, Operation>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "%": remainder,
  "==": equalValues,
  "!=": (left, right) => !equalValues(left, right),
  "<": (left, right) => compareValues(left, right) < 0,
  "<=": (left, right) => compareValues(left, right) <= 0,
  ">": (left, right) => compareValues(left, right) > 0,
  ">=": (left, right) => compareValues(left, right) >= 0,
};

export function add(left: JqValue, right: JqValue, meter: Meter): JqValue {
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (left === null) return right;
  if (right === null) return left;
  if (typeof left === "string" && typeof right === "string") {
    // V8 keeps the two as they are until the text is read.
    meter.text(16 + Math.min(left.length, right.length));
    return left + right;
  }
  if (isArray(left) && isArray(right)) {
    meter.items(left.length + right.length);
    return left.concat(right);
  }
  if (isObject(left) && isObject(right)) {
    meter.members(left.size + right.size);
    const sum = new Map(left);
    for (const [key, value] of right) sum.set(key, value);
    return sum;
  }
  if (isNumber(left) && isNumber(right)) return doubleOf(left) + doubleOf(right);
  return raise(`${shown(left)} and ${shown(right)} cannot be added`);
}

function subtract(left: JqValue, right: JqValue, meter: Meter): JqValue {
  if (isNumber(left) && isNumber(right)) return doubleOf(left) - doubleOf(right);
  if (isArray(left) && isArray(right)) {
    meter.steps(left.length * right.length);
    return left.filter((item) => !right.some((other) => equalValues(item, other)));
  }
  return raise(`${shown(left)} and ${shown(right)} cannot be subtracted`);
}

function multiply(left: JqValue, right: JqValue, meter: Meter): JqValue {
  if (isNumber(left) && isNumber(right)) return doubleOf(left) * doubleOf(right);
  if (typeof left === "string" && isNumber(right)) return repeat(left, doubleOf(right), meter);
  if (typeof right === "string" && isNumber(left)) return repeat(right, doubleOf(left), meter);
  if (isObject(left) && isObject(right)) return merge(left, right, meter);
  return raise(`${shown(left)} and ${shown(right)} cannot be multiplied`);
}

function repeat(text: string, times: number, meter: Meter): JqValue {
  if (Number.isNaN(times) || times < 0) return null;
  const count = Math.floor(times);
  if (text === "" || count === 0) return "";
  if (count * text.length > 536_870_000) return raise("Repeat string result too long");
  meter.text(count * text.length);
  return text.repeat(count);
}

/** Merges objects, and the objects that they share a key for. */
function merge(left: JqObject, right: JqObject, meter: Meter): JqObject {
  const root: JqObject = new Map(left);
  const open: [JqObject, JqObject][] = [[root, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [into, from] = pair;
    meter.members(into.size + from.size);
    for (const [key, value] of from) {
      const before = into.get(key);
      if (before !== undefined && isObject(before) && isObject(value)) {
        const copy = new Map(before);
        into.set(key, copy);
        open.push([copy, value]);
      } else into.set(key, value);
    }
  }
  return root;
}

function divide(left: JqValue, right: JqValue, meter: Meter): JqValue {
  if (isNumber(left) && isNumber(right)) {
    if (doubleOf(right) === 0)
      return raise(`${shown(left)} and ${shown(right)} cannot be divided because the divisor is zero`);
    return doubleOf(left) / doubleOf(right);
  }
  if (typeof left === "string" && typeof right === "string") return splitText(left, right, meter);
  return raise(`${shown(left)} and ${shown(right)} cannot be divided`);
}

/** Splits a string at another one; at the empty string into its code points. */
export function splitText(text: string, separator: string, meter: Meter): JqValue {
  if (text === "") return [];
  let count = separator === "" ? text.length : 1;
  if (separator !== "")
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length))
      count++;
  meter.items(4 * count);
  return separator === "" ? Array.from(text) : text.split(separator);
}

function remainder(left: JqValue, right: JqValue): JqValue {
  if (!isNumber(left) || !isNumber(right))
    return raise(`${shown(left)} and ${shown(right)} cannot be divided (remainder)`);
  const a = doubleOf(left);
  const b = doubleOf(right);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  // In the integers of 64 bits, as jq: what is beyond them is the nearest of them.
  const divisor = toInteger(b);
  if (divisor === 0)
    return raise(
      `${shown(left)} and ${shown(right)} cannot be divided (remainder) because the divisor is zero`,
    );
  const result = toInteger(a) % Math.abs(divisor);
  return result === 0 ? 0 : result;
}

const integerBound = 2 ** 63;

const toInteger = (value: number): number =>
  Math.max(-integerBound, Math.min(integerBound, Math.trunc(value)));

/** Returns `-value`; a literal keeps its digits, and zero has no sign. @throws JqError */
export function negate(value: JqValue): JqValue {
  if (typeof value === "number") return value === 0 ? 0 : -value;
  if (!isLiteralNumber(value)) return raise(`${shown(value)} cannot be negated`);
  const { literal, double } = value;
  const digits = literal.startsWith("-") ? literal.slice(1) : literal;
  const positive = literal !== digits || double === 0;
  return { literal: positive ? digits : `-${digits}`, double: -double };
}
