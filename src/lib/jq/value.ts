/**
 * A value of jq. A number is a double, or a literal of a document whose spelling a double does not give back. Arrays and
 * objects are never changed once another part may hold them.
 */
export type JqValue = null | boolean | number | string | JqNumber | JqArray | JqObject;

export type JqArray = JqValue[];

/** A `Map`, so that `__proto__` is an ordinary key and "2" does not move before "a". */
export type JqObject = Map<string, JqValue>;

/** A number as a document spells it; arithmetic uses its double. */
export interface JqNumber {
  readonly literal: string;
  readonly double: number;
}

export type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

export const isObject = (value: JqValue): value is JqObject => value instanceof Map;

export const isArray = (value: JqValue): value is JqArray => Array.isArray(value);

export const isNumber = (value: JqValue): value is number | JqNumber =>
  typeof value === "number" || (typeof value === "object" && value !== null && "literal" in value);

export const isLiteralNumber = (value: JqValue): value is JqNumber =>
  typeof value === "object" && value !== null && "literal" in value;

/** Returns the double of a number. */
export const doubleOf = (value: number | JqNumber): number =>
  typeof value === "number" ? value : value.double;

/** Everything but null and false is true. */
export const isTrue = (value: JqValue): boolean => value !== null && value !== false;

export function typeName(value: JqValue): TypeName {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      if (value === null) return "null";
      if (isArray(value)) return "array";
      return isObject(value) ? "object" : "number";
  }
}

/**
 * The value of a number's text (RFC 8259): a double if that is spelled the same, else a literal. Beyond 2^53, where several texts
 * have one double, it is always a literal, so that each compares as what it is.
 */
export function numberFrom(text: string): number | JqNumber {
  const double = Number(text);
  const exact = Math.abs(double) <= Number.MAX_SAFE_INTEGER && formatDouble(double) === text;
  return exact ? double : { literal: text, double };
}

/** A number that keeps its spelling. */
export const literalFrom = (text: string): JqNumber => ({ literal: text, double: Number(text) });

/**
 * Spells a double as jq does: the fewest digits that read back as the same, with an exponent below 1e-5 and where more than 15
 * zeros would follow the digits. A number that JSON lacks becomes null, an infinite one the largest of its sign.
 */
export function formatDouble(value: number): string {
  if (Number.isInteger(value) && value < 1e16 && value > -1e16)
    return value === 0 && Object.is(value, -0) ? "-0" : String(value);
  if (Number.isNaN(value)) return "null";
  if (value === Number.POSITIVE_INFINITY) return "1.7976931348623157e+308";
  if (value === Number.NEGATIVE_INFINITY) return "-1.7976931348623157e+308";
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e16) return String(value);
  const [mantissa = "", power = ""] = size.toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(power);
  const sign = value < 0 ? "-" : "";
  if (exponent >= 0 && exponent + 1 <= digits.length + 15)
    return `${sign}${digits.padEnd(exponent + 1, "0")}`;
  return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

export const formatNumber = (value: number | JqNumber): string =>
  typeof value === "number" ? formatDouble(value) : value.literal;
