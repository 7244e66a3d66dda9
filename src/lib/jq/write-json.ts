import { flatLength, toFlat } from "../data/to-flat.ts";
import { replaceCharacters } from "../text/replace-characters.ts";
import { compareCodePoints } from "../json/code-point-order.ts";
import { formatNumber, type JqObject, type JqValue } from "./value.ts";

export interface WriteOptions {
  /** The indentation of one level; "" puts the value on one line. */
  indent?: string;
  sortKeys?: boolean;
  /** Write what is beyond ASCII as escapes. */
  ascii?: boolean;
  /** Most UTF-16 code units. */
  maxLength?: number;
  /** Return the beginning of a longer text instead of throwing. */
  cut?: boolean;
}

/** Thrown if a text would be longer than `maxLength`. */
export class TextTooLong extends Error {
  override readonly name = "TextTooLong";
}

/** Levels written by recursion, which is faster; deeper ones are written with a stack. */
const recursive = 200;

/**
 * Writes a value as JSON, in the layout of `JSON.stringify`.
 * @throws TextTooLong
 */
export function toText(value: JqValue, options: WriteOptions = {}): string {
  const {
    indent = "",
    sortKeys = false,
    ascii = false,
    maxLength = Number.POSITIVE_INFINITY,
    cut = false,
  } = options;
  const quote = ascii ? quoteAscii : quoteText;
  const colon = indent === "" ? ":" : ": ";
  let written = "";
  let text = "";

  const put = (piece: string): void => {
    text += piece;
    if (text.length <= flatLength) return;
    check();
    written += toFlat(text);
    text = "";
  };

  const check = (): void => {
    if (written.length + text.length > maxLength) throw new TextTooLong("The text of a value is too long.");
  };

  const members = (object: JqObject): Iterable<[string, JqValue]> =>
    sortKeys ? sortedMembers(object) : object;

  const scalar = (item: JqValue): string => {
    if (typeof item === "string") return quote(item);
    if (typeof item === "number") return formatNumber(item);
    if (item === null) return "null";
    if (typeof item === "boolean") return item ? "true" : "false";
    return formatNumber(item as { literal: string; double: number });
  };

  function write(item: JqValue, depth: number, line: string): void {
    if (Array.isArray(item)) {
      if (item.length === 0) return put("[]");
      if (depth > recursive) return writeDeep(item, line);
      const inner = indent === "" ? "" : line + indent;
      let between = `[${inner}`;
      for (const one of item) {
        put(between);
        between = indent === "" ? "," : `,${inner}`;
        write(one, depth + 1, inner);
      }
      return put(`${indent === "" ? "" : line}]`);
    }
    if (item instanceof Map) {
      if (item.size === 0) return put("{}");
      if (depth > recursive) return writeDeep(item, line);
      const inner = indent === "" ? "" : line + indent;
      let between = `{${inner}`;
      for (const [key, one] of members(item)) {
        put(between + quote(key) + colon);
        between = indent === "" ? "," : `,${inner}`;
        write(one, depth + 1, inner);
      }
      return put(`${indent === "" ? "" : line}}`);
    }
    put(scalar(item));
  }

  function writeDeep(root: JqValue, start: string): void {
    const open: { items: Iterator<JqValue | [string, JqValue]>; list: boolean; empty: boolean }[] = [];
    let line = start;
    let next: JqValue | undefined = root;
    for (;;) {
      if (next !== undefined) {
        if (Array.isArray(next) || next instanceof Map) {
          const list = Array.isArray(next);
          put(list ? "[" : "{");
          open.push({
            items: list ? next.values() : members(next as JqObject)[Symbol.iterator](),
            list,
            empty: true,
          });
          if (indent !== "") line += indent;
        } else put(scalar(next));
      }
      const frame = open.at(-1);
      if (frame === undefined) return;
      const step = frame.items.next();
      if (step.done === true) {
        open.pop();
        if (indent !== "") line = line.slice(0, line.length - indent.length);
        put(`${frame.empty || indent === "" ? "" : line}${frame.list ? "]" : "}"}`);
        next = undefined;
        continue;
      }
      put(`${frame.empty ? "" : ","}${indent === "" ? "" : line}`);
      frame.empty = false;
      if (frame.list) next = step.value as JqValue;
      else {
        const [key, member] = step.value as [string, JqValue];
        put(quote(key) + colon);
        next = member;
      }
    }
  }

  try {
    write(value, 0, indent === "" ? "" : "\n");
    check();
  } catch (error) {
    if (!cut || !(error instanceof TextTooLong)) throw error;
  }
  return written + text;
}

/** Returns the members of an object by their keys, in the order of code points. */
export const sortedMembers = (object: JqObject): [string, JqValue][] =>
  [...object].toSorted(([a], [b]) => compareCodePoints(a, b));

/** Matches what a string of JSON escapes, DEL as jq does, and surrogates, which may be lone. */
// oxlint-disable-next-line no-control-regex
const escaped = /["\\\0-\x1f\x7f\ud800-\udfff]/;

/** Writes a string of JSON. */
export function quoteText(text: string): string {
  if (!escaped.test(text)) return `"${text}"`;
  return JSON.stringify(text.toWellFormed()).replaceAll("\x7f", "\\u007f");
}

const quoteAscii = (text: string): string =>
  replaceCharacters(
    quoteText(text),
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
