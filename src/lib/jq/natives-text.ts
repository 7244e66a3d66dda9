import { replaceCharacters } from "../text/replace-characters.ts";
import { splitText } from "./arithmetic.ts";
import { raise, shown } from "./fault.ts";
import { formatText } from "./formats.ts";
import { JsonTextError, spellNumber } from "./json-parts.ts";
import type { Meter } from "./meter.ts";
import type { Natives } from "./natives.ts";
import { itemsOf, jsonOf } from "./natives-value.ts";
import { parseJson } from "./parse-json.ts";
import { doubleOf, isArray, isNumber, type JqValue, numberFrom } from "./value.ts";

/** Builtins on strings. */
export const textNatives: Natives = {
  "utf8bytelength/0": (value) =>
    typeof value === "string"
      ? Buffer.byteLength(value)
      : raise(`${shown(value)} only strings have UTF-8 byte length`),
  "tostring/0": (value, _, machine) => (typeof value === "string" ? value : jsonOf(value, machine.meter)),
  "tonumber/0": toNumber,
  "toboolean/0": (value) => {
    if (typeof value === "boolean") return value;
    if (value === "true" || value === "false") return value === "true";
    return raise(`${shown(value)} cannot be parsed as a boolean`);
  },
  "fromjson/0": (value, _, machine) => {
    if (typeof value !== "string") return raise(`${shown(value)} only strings can be parsed`);
    machine.meter.items(value.length);
    try {
      return parseJson(value);
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      return raise(`${placed(error, value)} (while parsing '${value.slice(0, 1000)}')`);
    }
  },
  "ascii_downcase/0": (value, _, machine) => {
    if (typeof value !== "string") return raise("explode input must be a string");
    machine.meter.text(value.length);
    return replaceCharacters(value, /[A-Z]+/g, (letters) => letters.toLowerCase());
  },
  "ascii_upcase/0": (value, _, machine) => {
    if (typeof value !== "string") return raise("explode input must be a string");
    machine.meter.text(value.length);
    return replaceCharacters(value, /[a-z]+/g, (letters) => letters.toUpperCase());
  },
  "explode/0": (value, _, machine) => {
    if (typeof value !== "string") return raise("explode input must be a string");
    machine.meter.items(value.length);
    return Array.from(value, (point) => point.codePointAt(0) as number);
  },
  "implode/0": (value, _, machine) => {
    if (!isArray(value)) return raise("implode input must be an array");
    machine.meter.text(value.length);
    return value.map(toPoint).join("");
  },
  "startswith/1": (value, [part]) => {
    if (typeof value !== "string" || typeof part !== "string")
      return raise("startswith() requires string inputs");
    return value.startsWith(part);
  },
  "endswith/1": (value, [part]) => {
    if (typeof value !== "string" || typeof part !== "string")
      return raise("endswith() requires string inputs");
    return value.endsWith(part);
  },
  "ltrimstr/1": (value, [part]) => withoutStart(value, part as JqValue),
  "rtrimstr/1": (value, [part]) => withoutEnd(value, part as JqValue),
  "trimstr/1": (value, [part]) => withoutEnd(withoutStart(value, part as JqValue), part as JqValue),
  "trim/0": (value) => trimmed(value, true, true),
  "ltrim/0": (value) => trimmed(value, true, false),
  "rtrim/0": (value) => trimmed(value, false, true),
  "split/1": (value, [separator], machine) => {
    if (typeof value !== "string" || typeof separator !== "string")
      return raise("split input and separator must be strings");
    return splitText(value, separator, machine.meter);
  },
  "join/1": (value, [separator], machine) => join(value, separator as JqValue, machine.meter),
  "ascii/0": (value) =>
    isNumber(value)
      ? String.fromCharCode(doubleOf(value) & 0x7f)
      : raise(`${shown(value)} is no code of a character`),
  "format/1": (value, [name], machine) => {
    if (typeof name !== "string") return raise(`${shown(name as JqValue)} is not a valid format`);
    return formatText(`@${name}`, value, machine.meter);
  },
};

/** Numbers as JSON spells them, also with a + or without a digit before the point; nothing around them. */
function toNumber(value: JqValue): JqValue {
  if (isNumber(value)) return value;
  const number = typeof value === "string" ? spellNumber(value) : undefined;
  return number === undefined ? raise(`${shown(value)} cannot be parsed as a number`) : numberFrom(number);
}

/** The message of jq: the fault with its line and column in bytes. */
function placed({ message, index, unfinished }: JsonTextError, text: string): string {
  const before = text.slice(0, index);
  const line = before.split("\n").length;
  const column = Buffer.byteLength(before.slice(before.lastIndexOf("\n") + 1));
  return `${message}${unfinished ? " at EOF" : ""} at line ${line}, column ${column}`;
}

function toPoint(value: JqValue): string {
  const point = isNumber(value) ? doubleOf(value) : Number.NaN;
  if (Number.isNaN(point))
    return raise(`${shown(value)} can't be imploded, unicode codepoint needs to be numeric`);
  const whole = Math.trunc(point);
  const valid = whole >= 0 && whole <= 0x10ffff && (whole < 0xd800 || whole > 0xdfff);
  return String.fromCodePoint(valid ? whole : 0xfffd);
}

function withoutStart(value: JqValue, part: JqValue): JqValue {
  if (typeof value !== "string" || typeof part !== "string")
    return raise("startswith() requires string inputs");
  return value.startsWith(part) ? value.slice(part.length) : value;
}

function withoutEnd(value: JqValue, part: JqValue): JqValue {
  if (typeof value !== "string" || typeof part !== "string")
    return raise("endswith() requires string inputs");
  return part !== "" && value.endsWith(part) ? value.slice(0, -part.length) : value;
}

/** White space of Unicode, which is that of JavaScript with U+0085 and without U+FEFF. */
const space = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const isSpace = new RegExp(space);

function trimmed(value: JqValue, start: boolean, end: boolean): JqValue {
  if (typeof value !== "string") return raise("trim input must be a string");
  let from = 0;
  let to = value.length;
  while (start && from < to && isSpace.test(value[from] as string)) from++;
  while (end && to > from && isSpace.test(value[to - 1] as string)) to--;
  return value.slice(from, to);
}

function join(value: JqValue, separator: JqValue, meter: Meter): JqValue {
  let result = "";
  let first = true;
  for (const item of itemsOf(value)) {
    if (!first) {
      if (typeof separator !== "string") {
        if (separator !== null) return raise(`${shown(result)} and ${shown(separator)} cannot be added`);
      } else result += separator;
    }
    first = false;
    if (item === null) continue;
    if (typeof item === "string") result += item;
    else if (typeof item === "boolean" || isNumber(item)) result += jsonOf(item, meter);
    else return raise(`${shown(result)} and ${shown(item)} cannot be added`);
  }
  meter.text(result.length);
  return result;
}
