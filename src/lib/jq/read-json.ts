import {
  beginOf,
  escapes,
  type JsonReader,
  JsonTextError,
  isNumberUnit,
  isWordUnit,
  literalFault,
  powers,
  spellNumber,
  words,
} from "./json-parts.ts";
import { type JqArray, type JqObject, type JqValue, literalFrom, numberFrom } from "./value.ts";

/** Most levels of a document, as in jq. */
export const maxDocumentDepth = 10_000;

/** The next token that the reader expects; it goes on with it where a piece has ended. */
const [anyValue, firstItem, member, separator] = [0, 1, 2, 3] as const;

const maxKeyUnits = 32;
const slots = 1024;

/**
 * Opens a text of JSON values. Like jq it also reads `nan` and `Infinity`, and strings with control characters; numbers keep
 * their digits. With `more`, a value that reaches the end of the text is unfinished, because more text may follow.
 */
export function openJson(text: string, more = false): JsonReader {
  const known: string[] = Array.from({ length: slots }, () => "");
  let end = text.length;
  let at = beginOf(text);
  let begun = text !== "";
  let expected: number = anyValue;
  /** The arrays and objects around the one that is read, and the keys of their members that are read. */
  const open: (JqArray | JqObject)[] = [];
  const keys: string[] = [];
  let container: JqArray | JqObject | undefined;
  let key = "";

  const fail = (message: string, index = at): never => {
    throw new JsonTextError(index >= end ? "Unfinished JSON term" : message, index, index >= end);
  };

  function skipSpace(): number {
    let unit = text.charCodeAt(at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = text.charCodeAt(++at);
    return unit;
  }

  /** Reads the string whose opening quote is at `at`. */
  function readString(): string {
    const from = at + 1;
    let to = from;
    for (;;) {
      const unit = text.charCodeAt(to);
      if (unit === 0x22) {
        at = to + 1;
        return text.slice(from, to);
      }
      if (unit === 0x5c) return readEscaped(from, to);
      if (!(unit < 0xd800)) {
        if (to >= end) return fail("Unfinished string", end);
        // A lone surrogate becomes a replacement character, once the string is known.
        if (unit < 0xe000) return readEscaped(from, to);
      }
      to++;
    }
  }

  /** Reads a string with escapes or surrogates. */
  function readEscaped(from: number, first: number): string {
    let to = first;
    for (let unit = text.charCodeAt(to); unit !== 0x22; unit = text.charCodeAt(to)) {
      to += unit === 0x5c ? 2 : 1;
      if (to >= end) return fail("Unfinished string", end);
    }
    try {
      const value = JSON.parse(text.slice(from - 1, to + 1)) as string;
      at = to + 1;
      return value.toWellFormed();
    } catch {
      return readLenient(from, first);
    }
  }

  /** Reads a string with control characters, or finds its fault. */
  function readLenient(from: number, first: number): string {
    let value = text.slice(from, first);
    let to = first;
    for (;;) {
      const unit = text.charCodeAt(to);
      if (unit === 0x22) {
        at = to + 1;
        return value.toWellFormed();
      }
      if (to >= end) return fail("Unfinished string", end);
      if (unit === 0x5c) {
        const letter = text[to + 1] ?? "";
        if (letter === "u") {
          const digits = text.slice(to + 2, to + 6);
          if (!/^[\da-fA-F]{4}$/.test(digits)) return fail("Invalid \\uXXXX escape", to + 6 > end ? end : to);
          value += String.fromCharCode(Number.parseInt(digits, 16));
          to += 6;
        } else {
          const plain = escapes[letter];
          if (plain === undefined) return fail("Invalid escape", to + 1 >= end ? end : to);
          value += plain;
          to += 2;
        }
        continue;
      }
      let stop = to + 1;
      while (stop < end && text.charCodeAt(stop) !== 0x22 && text.charCodeAt(stop) !== 0x5c) stop++;
      value += text.slice(to, stop);
      to = stop;
    }
  }

  /** Documents repeat their keys, and a known string already has its hash. */
  function readKey(): string {
    const from = at + 1;
    let to = from;
    let hash = 0;
    const most = from + maxKeyUnits;
    for (; to < most; to++) {
      const unit = text.charCodeAt(to);
      if (unit === 0x22) break;
      if (unit === 0x5c || !(unit < 0x80)) return readString();
      hash = (hash * 31 + unit) & 0xffff;
    }
    if (to >= most) return readString();
    const slot = (hash ^ (hash >> 6)) & (slots - 1);
    const before = known[slot] as string;
    if (before.length === to - from && text.startsWith(before, from)) {
      at = to + 1;
      return before;
    }
    known[slot] = text.slice(from, to);
    at = to + 1;
    return known[slot] as string;
  }

  function readNumber(): JqValue {
    const from = at;
    let to = from;
    let unit = text.charCodeAt(to);
    const negative = unit === 0x2d;
    if (negative) unit = text.charCodeAt(++to);
    const digits = to;
    let whole = 0;
    while (unit >= 0x30 && unit <= 0x39) {
      whole = whole * 10 + unit - 0x30;
      unit = text.charCodeAt(++to);
    }
    const wholeDigits = to - digits;
    let places = 0;
    let last = unit;
    let plain = wholeDigits === 1 || (wholeDigits > 1 && text.charCodeAt(digits) !== 0x30);
    if (unit === 0x2e) {
      for (unit = text.charCodeAt(++to); unit >= 0x30 && unit <= 0x39; unit = text.charCodeAt(++to)) {
        whole = whole * 10 + unit - 0x30;
        places++;
        last = unit;
      }
      if (places === 0) plain = false;
    }
    if (plain && unit !== 0x65 && unit !== 0x45 && !isNumberUnit(unit) && !isWordUnit(unit)) {
      if (more && to >= end) return fail("", end);
      at = to;
      // A double would be spelled in another way or might be: the text stays as it is, and comparisons see no difference.
      if (wholeDigits + places >= 16 || (places > 0 && last === 0x30))
        return literalFrom(text.slice(from, to));
      // Both are exact, so that the quotient is the double nearest to the text.
      if (places === 0) return negative ? -whole : whole;
      const power = powers[places] as number;
      // Smaller numbers are spelled with an exponent.
      if (whole * 10_000 >= power) return negative ? -whole / power : whole / power;
      at = from;
    }
    while (isNumberUnit(unit) || isWordUnit(unit)) unit = text.charCodeAt(++to);
    if (more && to >= end) return fail("", end);
    const written = text.slice(from, to);
    // Forms that jq reads and JSON lacks, such as 007, .5 and 1., are spelled as JSON does.
    const number = spellNumber(written);
    if (number === undefined) return readWord(to, written);
    at = to;
    return numberFrom(number);
  }

  function readWord(to: number, word: string): JqValue {
    const value = words.get(word);
    if (value === undefined) {
      if (to >= end) throw new JsonTextError(literalFault(word, true), end, more);
      throw new JsonTextError(literalFault(word, false), to);
    }
    at = to;
    return value;
  }

  function readLiteral(): JqValue {
    let to = at;
    while (isWordUnit(text.charCodeAt(to))) to++;
    if (more && to >= end) return fail("", end);
    return to === at ? fail("Invalid literal") : readWord(to, text.slice(at, to));
  }

  function next(): JqValue | undefined {
    if (container === undefined) {
      skipSpace();
      if (at >= end) return undefined;
    }
    for (;;) {
      let value: JqValue | undefined;
      if (expected === member) readMember();
      if (expected === anyValue) {
        const unit = skipSpace();
        if (unit === 0x22) value = readString();
        else if (unit === 0x7b || unit === 0x5b) begin(unit);
        else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39) || unit === 0x2e) value = readNumber();
        else value = readLiteral();
      }
      if (expected === firstItem) {
        const unit = skipSpace();
        if (at >= end) return fail("", end);
        if (unit === (Array.isArray(container) ? 0x5d : 0x7d)) value = finish();
        else {
          expected = Array.isArray(container) ? anyValue : member;
          continue;
        }
      }
      // Without a value, the reader goes on after one that it has read.
      for (;;) {
        if (value !== undefined) {
          if (container === undefined) {
            expected = anyValue;
            return value;
          }
          if (Array.isArray(container)) container.push(value);
          else container.set(key, value);
          expected = separator;
        }
        const unit = skipSpace();
        if (unit === 0x2c) {
          at++;
          expected = Array.isArray(container) ? anyValue : member;
          break;
        }
        if (unit !== (Array.isArray(container) ? 0x5d : 0x7d))
          return fail("Expected separator between values");
        value = finish();
      }
    }
  }

  function begin(bracket: number): void {
    at++;
    if (container !== undefined) {
      open.push(container);
      keys.push(key);
      if (open.length >= maxDocumentDepth) throw new JsonTextError("Exceeds depth limit for parsing", at);
    }
    container = bracket === 0x7b ? new Map() : [];
    expected = firstItem;
  }

  function finish(): JqValue {
    at++;
    const value = container as JqArray | JqObject;
    container = open.pop();
    key = keys.pop() ?? "";
    return value;
  }

  function readMember(): void {
    if (skipSpace() !== 0x22) return fail("Object keys must be strings");
    const from = at;
    key = readKey();
    if (skipSpace() !== 0x3a) {
      const missing = at;
      if (at >= end) at = from;
      return fail("Objects must consist of key:value pairs", missing);
    }
    at++;
    expected = anyValue;
  }

  return {
    get at() {
      return at;
    },
    next,
    feed(longer, isMore) {
      text = longer;
      end = text.length;
      at = begun ? 0 : beginOf(text);
      begun ||= text !== "";
      more = isMore;
    },
  };
}
