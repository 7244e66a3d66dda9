import { DocumentFault } from "../fault.ts";
import { isDictionary, isList, type Value } from "../data/value.ts";
import { compareDecimals, isWhole, toDecimal } from "../number/decimal.ts";
import { toShortPointer } from "./pointer.ts";

/**
 * The canonical form of RFC 8785: no white space, keys by UTF-16 code unit, numbers and strings as ECMAScript writes them.
 * @throws DocumentFault for half a surrogate pair, a number beyond a double, and a whole number that a double would
 * change: two documents that differ must never be signed as one.
 */
export function canonicalize(value: Value): string {
  return write(value, []);
}

/** Recursive: the reader of documents allows 512 levels. */
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
    "Half of a surrogate pair stands alone in this string, which I-JSON does not allow; repair the text.",
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
  // Fractions are rounded, as the RFC has it; whole numbers are identifiers, and those are not.
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
  // ECMAScript has no minus zero in text.
  return written;
}
