import { DocumentFault } from "../fault.ts";
import { isDictionary, isList, type Value } from "../data/value.ts";
import { compareDecimals, isWhole, toDecimal } from "../number/decimal.ts";
import { toShortPointer } from "./pointer.ts";

/**
 * Returns the canonical form of RFC 8785: no white space, keys by UTF-16 code unit, numbers and strings as
 * ECMAScript writes them.
 * @throws DocumentFault for a lone surrogate, a number beyond a double, and an integer that a double would
 * change: two different documents must never get the same signature.
 */
export function canonicalize(value: Value): string {
  return write(value, []);
}

/** Recursive: the parser limits documents to 512 levels. */
function write(value: Value, path: (string | number)[]): string {
  if (typeof value === "string") return writeString(value, path);
  if (value === null || typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map((item, index) => write(item, [...path, index])).join()}]`;
  if (!isDictionary(value)) return writeNumber(value.text, path);
  const members = [...value].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members
    .map(([key, member]) => {
      const here = [...path, key];
      return `${writeString(key, here)}:${write(member, here)}`;
    })
    .join()}}`;
}

function writeString(text: string, path: readonly (string | number)[]): string {
  if (text.isWellFormed()) return JSON.stringify(text);
  throw new DocumentFault(
    "This string contains a lone surrogate, which I-JSON does not allow; repair the text.",
    { pointer: toShortPointer(path) },
  );
}

function writeNumber(text: string, path: readonly (string | number)[]): string {
  const number = Number(text);
  if (!Number.isFinite(number)) {
    throw new DocumentFault("This number is beyond an IEEE 754 double; write it as a string.", {
      pointer: toShortPointer(path),
    });
  }
  const written = String(number);
  const exact = toDecimal(text);
  // RFC 8785 rounds fractions. Integers are often identifiers, so rounding one is an error.
  if (isWhole(exact) && !Number.isSafeInteger(number)) {
    const same =
      compareDecimals(exact, toDecimal(written)) === 0 ||
      compareDecimals(exact, toDecimal(BigInt(number).toString())) === 0;
    if (!same) {
      throw new DocumentFault(
        `An IEEE 754 double holds ${written} instead of this integer; write it as a string.`,
        { pointer: toShortPointer(path) },
      );
    }
  }
  // ECMAScript writes minus zero as 0.
  return written;
}
