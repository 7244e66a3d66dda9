import { DocumentFault, type FaultPlace } from "../fault.ts";
import type { Dictionary, Value } from "../data/value.ts";
import { toShortPointer } from "../json/pointer.ts";
import { encodePercent } from "../percent.ts";
import { checkLength } from "../data/result-length.ts";

export const arrayStyles = ["repeat", "bracket", "comma"] as const;

export type ArrayStyle = (typeof arrayStyles)[number];

/**
 * Encodes an object as application/x-www-form-urlencoded text; numbers keep their digits. A null becomes a
 * name without `=`.
 * @throws DocumentFault with a pointer to a value that the style cannot represent.
 */
export function encodeForm(object: Dictionary, arrays: ArrayStyle, plusAsSpace: boolean): string {
  const pairs: string[] = [];
  let length = 0;
  const escape = (text: string): string => {
    // Like URLSearchParams, which is slow for many short texts; a lone surrogate becomes U+FFFD.
    const encoded = encodePercent(text.toWellFormed(), "form");
    return plusAsSpace ? encoded : encoded.replaceAll("+", "%20");
  };
  const write = (name: string, value: Value): void => {
    const pair = value === null ? name : `${name}=${escape(scalarText(value))}`;
    // The keys of nested objects repeat with every value.
    checkLength((length += pair.length));
    pairs.push(pair);
  };
  const open: { name: string; path: string[]; value: Value }[] = [];
  const push = (
    entries: Iterable<[string, Value]>,
    path: string[],
    toName: (key: string) => string,
  ): void => {
    for (const [key, value] of [...entries].toReversed())
      open.push({ name: toName(key), path: [...path, key], value });
  };
  push(object, [], (key) => escape(requirePlain(key, [key], arrays)));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, path, value } = next;
    if (Array.isArray(value)) writeList(name, value, path);
    else if (value instanceof Map) {
      if (arrays !== "bracket")
        throw new DocumentFault('A nested object requires arrays "bracket".', {
          pointer: toShortPointer(path),
        });
      if (value.size === 0)
        throw new DocumentFault("A query cannot represent {}.", { pointer: toShortPointer(path) });
      push(value, path, (key) => {
        if (key === "")
          throw new DocumentFault("An empty key in brackets would be read as a list.", {
            pointer: toShortPointer([...path, key]),
          });
        return `${name}[${escape(requirePlain(key, [...path, key], arrays))}]`;
      });
    } else write(name, value);
  }
  return pairs.join("&");

  function writeList(name: string, list: readonly Value[], path: string[]): void {
    if (list.length === 0)
      throw new DocumentFault("A query cannot represent [].", { pointer: toShortPointer(path) });
    for (const [index, item] of list.entries()) {
      const place = (): FaultPlace => ({ pointer: toShortPointer([...path, index]) });
      if (Array.isArray(item) || item instanceof Map)
        throw new DocumentFault("A list in a query can contain only strings, numbers and booleans.", place());
      if (item === null && arrays === "comma")
        throw new DocumentFault("A list with commas cannot contain null.", place());
    }
    if (arrays === "comma") pairs.push(`${name}=${list.map((item) => escape(scalarText(item))).join(",")}`);
    else for (const item of list) write(arrays === "bracket" ? `${name}[]` : name, item);
  }
}

/** Refuses a bracket in a key, which would look like a nested key. */
function requirePlain(key: string, path: string[], arrays: ArrayStyle): string {
  if (arrays !== "bracket" || !/[[\]]/.test(key)) return key;
  throw new DocumentFault('A key with [ or ] looks like a nested key; use arrays "repeat".', {
    pointer: toShortPointer(path),
  });
}

function scalarText(value: Value): string {
  if (typeof value === "object" && value !== null && "text" in value) return value.text;
  return String(value);
}
