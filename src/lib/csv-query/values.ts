import { DocumentFault } from "../fault.ts";
import { addExact, compareExact, type Exact, exactText, toExact } from "../number/arithmetic.ts";
import { compareCodePoints } from "../json/code-point-order.ts";

/** A value of an expression. A cell is a text; one that looks like a number is taken for one where numbers are compared. */
export type CellValue = string | boolean | Exact;

/** Longest text that is taken for a number: arithmetic on longer ones would take long. */
const maxNumber = 1000;
const numberForm = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,6})?$/;

/** The number that a value is, or undefined. Zeros before it, a sign and spaces around it are allowed. */
export function numberOf(value: CellValue): Exact | undefined {
  if (typeof value === "boolean") return undefined;
  if (typeof value === "object") return value;
  const text = value.trim();
  if (text.length > maxNumber || !numberForm.test(text)) return undefined;
  return toExact(text.startsWith("+") ? text.slice(1) : text);
}

/** Returns the text of a value in the result. */
export const textOf = (value: CellValue): string =>
  typeof value === "object" ? exactText(value) : String(value);

/** Numbers by value, before texts by code point, before empty cells. */
export function compareCells(a: CellValue, b: CellValue): number {
  if (a === "" || b === "") return a === b ? 0 : a === "" ? 1 : -1;
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return compareExact(x, y);
  if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1;
  return compareCodePoints(textOf(a), textOf(b));
}

export const negate = ({ units, places }: Exact): Exact => ({ units: -units, places });

export const subtract = (a: Exact, b: Exact): Exact => addExact(a, negate(b));

/** @throws DocumentFault for a value that is no number; an empty one stays empty */
export function withNumber(value: CellValue, change: (number: Exact) => CellValue): CellValue {
  if (value === "") return "";
  const number = numberOf(value);
  if (number !== undefined) return change(number);
  throw new DocumentFault(
    `${JSON.stringify(textOf(value).slice(0, 64))} is not a number.`,
    {},
    "not-a-number",
  );
}
