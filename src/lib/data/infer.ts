import { decimalKey, toDecimal } from "../number/decimal.ts";
import { toNumber, type Value } from "./value.ts";

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** More digits than any double keeps. */
const maxNumber = 32;

/**
 * Converts a text to a boolean or a number if it can be nothing else, for formats that have only text. Only
 * JSON numbers that parsers do not round count: `007`, `+1` and a card number of 20 digits stay text.
 */
export function inferValue(text: string): Value {
  switch (text) {
    case "true":
    case "TRUE":
      return true;
    case "false":
    case "FALSE":
      return false;
    default:
      return isSafeNumber(text) ? toNumber(text) : text;
  }
}

function isSafeNumber(text: string): boolean {
  if (text.length > maxNumber || !number.test(text)) return false;
  const value = Number(text);
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  if (Number.isInteger(value))
    return (
      Number.isSafeInteger(value) && decimalKey(toDecimal(text)) === decimalKey(toDecimal(String(value)))
    );
  return decimalKey(toDecimal(text)) === decimalKey(toDecimal(String(value)));
}
