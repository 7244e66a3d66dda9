import { checkLength } from "../data/result-length.ts";
import { type Dictionary, isDictionary, isList, type List, type Value } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { escapeToken, toShortPointer } from "../json/pointer.ts";

export interface FlatNames {
  style: "dotted" | "pointer";
  /** The text between the parts of a dotted name. */
  separator: string;
  /** Whether an index of a dotted name is a part of its own, or in brackets behind the name of its list. */
  arrays: "index" | "brackets";
}

/**
 * Returns one object with a member for each scalar and each empty container of a value, under its path: a pointer (RFC 6901), or
 * names with a separator between them. A value that contains nothing is returned as it is in dotted style.
 * @throws DocumentFault if a key contains what separates names, or the names together are too long.
 */
export function flattenValue(value: Value, names: FlatNames): Value {
  const flat: Dictionary = new Map();
  if (names.style === "dotted" && isEnd(value)) return value;
  const path: (string | number)[] = [];
  let length = 0;
  add("", value);
  return flat;

  /** Recursive: every parser limits the depth. */
  function add(name: string, item: Value): void {
    if (isEnd(item)) {
      length += name.length + 1;
      checkLength(length);
      flat.set(name, item);
      return;
    }
    for (const [part, inner] of (item as List | Dictionary).entries()) {
      path.push(part);
      add(names.style === "pointer" ? `${name}/${escapeToken(part)}` : dotted(name, part), inner);
      path.pop();
    }
  }

  function dotted(name: string, part: string | number): string {
    if (typeof part === "number" && names.arrays === "brackets") return `${name}[${part}]`;
    if (typeof part === "string") checkName(part);
    return path.length === 1 ? String(part) : `${name}${names.separator}${part}`;
  }

  function checkName(part: string): void {
    const shown = JSON.stringify(part.length > 40 ? `${part.slice(0, 40)}…` : part);
    const other = "set style to gron or pointer.";
    const refuse = (message: string): never => {
      throw new DocumentFault(message, { pointer: toShortPointer(path) }, "ambiguous-name");
    };
    if (part === "") refuse(`A dotted name has no empty parts; ${other}`);
    if (part.includes(names.separator))
      refuse(`The key ${shown} contains the separator; set separator to another text, or ${other}`);
    if (names.arrays === "brackets" && /[[\]]/.test(part))
      refuse(`The key ${shown} contains a bracket; set arrays to index, or ${other}`);
  }
}

/** Reports whether nothing is inside of a value. */
const isEnd = (value: Value): boolean =>
  isList(value) ? value.length === 0 : !isDictionary(value) || value.size === 0;
