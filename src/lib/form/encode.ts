import { DocumentFault, type FaultPlace } from "../fault.ts";
import type { Dictionary, Value } from "../data/value.ts";
import { toShortPointer } from "../json/pointer.ts";
import { encodePercent } from "../percent.ts";
import { checkLength } from "../data/result-length.ts";

export const arrayStyles = ["repeat", "bracket", "comma"] as const;

export type ArrayStyle = (typeof arrayStyles)[number];

/**
 * The application/x-www-form-urlencoded text of an object, numbers with the digits that they were written with.
 * A null is a name without `=`.
 * @throws DocumentFault with a pointer to what no query can say in that style.
 */
export function encodeForm(object: Dictionary, arrays: ArrayStyle, plusAsSpace: boolean): string {
  const pairs: string[] = [];
  let length = 0;
  const escape = (text: string): string => {
    // Like URLSearchParams, which is slow for many short texts; half of a surrogate pair becomes U+FFFD.
    const encoded = encodePercent(text.toWellFormed(), "form");
    return plusAsSpace ? encoded : encoded.replaceAll("+", "%20");
  };
  const write = (name: string, value: Value): void => {
    const pair = value === null ? name : `${name}=${escape(scalarText(value))}`;
    // Keys of objects in objects are repeated with every value.
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
        throw new DocumentFault('An object in an object needs arrays "bracket".', {
          pointer: toShortPointer(path),
        });
      if (value.size === 0)
        throw new DocumentFault("A query cannot say {}.", { pointer: toShortPointer(path) });
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
      throw new DocumentFault("A query cannot say [].", { pointer: toShortPointer(path) });
    for (const [index, item] of list.entries()) {
      const place = (): FaultPlace => ({ pointer: toShortPointer([...path, index]) });
      if (Array.isArray(item) || item instanceof Map)
        throw new DocumentFault("A list in a query holds strings, numbers and booleans only.", place());
      if (item === null && arrays === "comma")
        throw new DocumentFault("A list with commas holds no null.", place());
    }
    if (arrays === "comma") pairs.push(`${name}=${list.map((item) => escape(scalarText(item))).join(",")}`);
    else for (const item of list) write(arrays === "bracket" ? `${name}[]` : name, item);
  }
}

/** A bracket of a key could not be told from one that means something. */
function requirePlain(key: string, path: string[], arrays: ArrayStyle): string {
  if (arrays !== "bracket" || !/[[\]]/.test(key)) return key;
  throw new DocumentFault('A key with [ or ] cannot be told from a nested one; use arrays "repeat".', {
    pointer: toShortPointer(path),
  });
}

function scalarText(value: Value): string {
  if (typeof value === "object" && value !== null && "text" in value) return value.text;
  return String(value);
}
