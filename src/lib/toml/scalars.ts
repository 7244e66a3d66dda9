import { DocumentFault } from "../fault.ts";
import { type Literal, toNumber } from "../data/value.ts";
import { type Cursor, describeUnit } from "./cursor.ts";
import { readDate } from "./dates.ts";

/** Matches behind the characters that can occur in a number, a date, a time or a word. */
const afterWord = /[^\w+.:-]|$/g;
const spacedTime = / \d\d:[\w+.:-]*/y;

/** Reads a value without quotes and brackets. */
export function readScalar(cursor: Cursor): boolean | Literal {
  const { text, at } = cursor;
  afterWord.lastIndex = at;
  let end = afterWord.exec(text)?.index ?? text.length;
  if (end === at) throw new DocumentFault(`Expected a value; found ${describeUnit(cursor)}.`, { index: at });
  if (end - at === 10 && text.charCodeAt(at + 4) === 0x2d) {
    spacedTime.lastIndex = end;
    if (spacedTime.test(text)) end = spacedTime.lastIndex;
  }
  cursor.at = end;
  const raw = text.slice(at, end);
  if (raw === "true" || raw === "false") return raw === "true";
  const value = toDecimal(raw) ?? toInteger(raw, at) ?? readDate(cursor, raw, at);
  if (value === undefined) throw new DocumentFault(describe(raw), { index: at });
  return value;
}

function toDecimal(raw: string): Literal | undefined {
  const sign = raw.startsWith("-") ? "-" : "";
  const body = sign !== "" || raw.startsWith("+") ? raw.slice(1) : raw;
  if (body === "inf") return { kind: "nonfinite", text: `${sign}inf` };
  if (body === "nan") return { kind: "nonfinite", text: "nan" };
  let digits = body;
  if (body.includes("_")) {
    if (!isGrouped(body)) return undefined;
    digits = body.split("_").join("");
  }
  return /^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits) ? toNumber(sign + digits) : undefined;
}

/** Reports whether each underscore is between two digits. */
function isGrouped(text: string): boolean {
  for (let at = text.indexOf("_"); at >= 0; at = text.indexOf("_", at + 1)) {
    if (!isDigit(text.charCodeAt(at - 1)) || !isDigit(text.charCodeAt(at + 1))) return false;
  }
  return true;
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** Far beyond the 64 bits that TOML requires; integers in base ten can have any size. */
const maxDigits = 4096;

function toInteger(raw: string, index: number): Literal | undefined {
  if (!/^0(?:x[\da-fA-F_]+|o[0-7_]+|b[01_]+)$/.test(raw)) return undefined;
  if (/^.._|__|_$/.test(raw)) return undefined;
  if (raw.length > maxDigits)
    throw new DocumentFault(`An integer in another base than ten can have at most ${maxDigits} digits.`, {
      index,
    });
  return toNumber(BigInt(raw.replaceAll("_", "")).toString());
}

function describe(raw: string): string {
  const shown = raw.length > 32 ? `${raw.slice(0, 32)}…` : raw;
  if (/^[+-]?0[\d_]/.test(raw)) return `${shown} is not a number: leading zeros are not allowed.`;
  if (/^[+-]?\.\d|\.$|\.[eE]/.test(raw))
    return `${shown} is not a number: a point needs a digit on both sides.`;
  if (/^[+-]?\d*_|_/.test(raw) && /\d/.test(raw))
    return `${shown} is not a number: an underscore needs a digit on both sides.`;
  if (/^(?:true|false)$/i.test(raw)) return `${shown} is not a value; booleans are lower-case.`;
  if (/^\d/.test(raw)) return `${shown} is neither a number nor a date.`;
  return `${shown} is not a value; put strings in quotes.`;
}
