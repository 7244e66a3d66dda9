import { withoutMark } from "../json/byte-order-mark.ts";
import { layOut } from "../json/lay-out.ts";
import { toDocumentFault } from "../json/problem.ts";
import { loneSurrogateError } from "../json/refusals.ts";
import type { JsonDialect } from "../json/source.ts";
import { validateJson } from "../json/validate.ts";
import { type Dictionary, type List, maxDepth, toNumber, type Value } from "./value.ts";

/**
 * Parses a JSON document (RFC 8259; `jsonc` adds comments and trailing commas): numbers as written, keys in
 * order. Numbers of JSON5 that JSON lacks are written in decimal. Of members with one name, `last` keeps the last.
 * @throws DocumentFault if it is not JSON, repeats a key in one object with `error`, or nests more than 512 levels deep.
 */
export function fromJson(
  data: string | Uint8Array,
  dialect: JsonDialect = "json",
  duplicateKeys: "error" | "last" = "error",
): Value {
  if (typeof data === "string" && !data.isWellFormed()) throw loneSurrogateError(data);
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  const [problem] = validateJson(bytes, {
    dialect,
    maxDepth,
    duplicateKeys: duplicateKeys === "error" ? "error" : "allow",
  });
  if (problem !== undefined) throw toDocumentFault(problem);
  const text = typeof data === "string" ? data : decoder.decode(bytes);
  if (dialect === "json5")
    return build(layOut(text, { dialect, indent: 0, scalars: "plain", maxLength: Infinity }));
  return build(withoutMark(text));
}

const decoder = new TextDecoder();

/**
 * Builds the value of a valid text, in which every byte can be taken at face value. Iterative, like every
 * parser here.
 */
function build(text: string): Value {
  const open: (List | Dictionary)[] = [];
  const keys: string[] = [];
  const keyOf = createKeyReader(text);
  let container: List | Dictionary | undefined;
  let key = "";
  let at = 0;
  for (;;) {
    let value: Value;
    const unit = text.charCodeAt(at);
    switch (unit) {
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
      case 0x2c:
      case 0x3a:
        at++;
        continue;
      case 0x2f:
        at = endOfComment(text, at);
        continue;
      case 0x22: {
        const from = at;
        at = endOfString(text, from);
        if (container instanceof Map && isKey(text, at)) {
          key = keyOf(from, at);
          continue;
        }
        value = stringOf(text, from, at);
        break;
      }
      case 0x5b:
      case 0x7b:
        if (container !== undefined) {
          open.push(container);
          keys.push(key);
        }
        container = unit === 0x5b ? [] : new Map();
        at++;
        continue;
      case 0x5d:
      case 0x7d: {
        value = container as List | Dictionary;
        container = open.pop();
        key = keys.pop() ?? "";
        at++;
        break;
      }
      case 0x74:
        value = true;
        at += 4;
        break;
      case 0x66:
        value = false;
        at += 5;
        break;
      case 0x6e:
        value = null;
        at += 4;
        break;
      default: {
        const from = at;
        while (isNumberUnit(text.charCodeAt(at))) at++;
        value = toNumber(text.slice(from, at));
      }
    }
    if (container === undefined) return value;
    if (container instanceof Map) container.set(key, value);
    else container.push(value);
  }
}

function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** Reports whether an odd number of backslashes precedes. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === 0x5c) before--;
  return (at - before) % 2 === 0;
}

function stringOf(text: string, from: number, to: number): string {
  const raw = text.slice(from + 1, to - 1);
  return raw.includes("\\") ? (JSON.parse(text.slice(from, to)) as string) : raw;
}

/** Longest key remembered, and how many keys are. */
const maxKey = 64;
const slots = 256;

/** Returns a `stringOf` for keys: documents repeat their keys, and a known string already has its hash. */
function createKeyReader(text: string): (from: number, to: number) => string {
  const known: string[] = Array.from({ length: slots }, () => "");
  return (from, to) => {
    const length = to - from;
    if (length > maxKey || length < 3) return stringOf(text, from, to);
    const slot = (length * 31 + text.charCodeAt(from + 1) * 7 + text.charCodeAt(to - 2)) & (slots - 1);
    const before = known[slot] as string;
    // Equal length rules out escapes, which are longer than what they stand for.
    if (before.length === length - 2 && text.startsWith(before, from + 1)) return before;
    const key = stringOf(text, from, to);
    if (key.length === length - 2) known[slot] = key;
    return key;
  };
}

/** Reports whether a colon follows the string that ends here. */
function isKey(text: string, from: number): boolean {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit === 0x3a) return true;
    if (unit === 0x2f) at = endOfComment(text, at);
    else if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return false;
    else at++;
  }
}

function endOfComment(text: string, from: number): number {
  if (text[from + 1] === "*") return text.indexOf("*/", from + 2) + 2;
  const rest = /[\r\n]/g;
  rest.lastIndex = from;
  return rest.exec(text)?.index ?? text.length;
}

/** Digits, `+ - .` and `e E`. */
const isNumberUnit = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x2e ||
  unit === 0x2d ||
  unit === 0x2b ||
  unit === 0x65 ||
  unit === 0x45;
