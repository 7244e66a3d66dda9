import { append } from "../append.ts";
import { DocumentFault } from "../fault.ts";
import type { Dictionary, List } from "../data/value.ts";
import { decodePercent } from "../percent.ts";
import type { ArrayStyle } from "./encode.ts";

/** Most pairs of brackets in a name; deeper nesting is an attack. */
const maxBrackets = 32;

/**
 * Decodes application/x-www-form-urlencoded text to an object: every value is a string, or a list if a name
 * repeats. In style `bracket`, `a[]=1` is a list of one and `a[b]=1` a nested object.
 * @throws DocumentFault with the byte offset of a malformed escape, or of a name that contradicts an earlier
 * one.
 */
export function decodeForm(text: Uint8Array, arrays: ArrayStyle, plusAsSpace: boolean): Dictionary {
  const result: Dictionary = new Map();
  const decode = (from: number, to: number): string => decodePercent(text, false, plusAsSpace, from, to);
  let end = 0;
  // Skips a leading ?, which belongs to the URL.
  for (let from = text[0] === 0x3f ? 1 : 0; from < text.length; from = end + 1) {
    end = indexOf(text, 0x26, from, text.length);
    if (end === from) continue;
    const equals = indexOf(text, 0x3d, from, end);
    const name = decode(from, equals);
    const values = split(text, Math.min(equals + 1, end), end, arrays === "comma").map(([a, b]) =>
      decode(a, b),
    );
    const path = arrays === "bracket" ? toPath(name, from) : [name];
    store(result, path, values, from);
  }
  return result;
}

/** Returns the index of the byte, or `end`. */
function indexOf(text: Uint8Array, byte: number, from: number, end: number): number {
  let at = from;
  while (at < end && text[at] !== byte) at++;
  return at;
}

/** Only unescaped commas separate, so they are found before decoding. */
function split(text: Uint8Array, from: number, end: number, commas: boolean): [number, number][] {
  if (!commas) return [[from, end]];
  const parts: [number, number][] = [];
  for (let at = from; ;) {
    const comma = indexOf(text, 0x2c, at, end);
    parts.push([at, comma]);
    if (comma === end) return parts;
    at = comma + 1;
  }
}

/** Splits `a[b][]` into a, b and, for the list, "". Unbalanced brackets are ordinary characters. */
function toPath(name: string, offset: number): string[] {
  const [, first, rest] = /^([^[\]]*)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (first === undefined || rest === undefined) return [name];
  const keys = rest.slice(1, -1).split("][");
  if (keys.length > maxBrackets)
    throw new DocumentFault(`A name can have at most ${maxBrackets} pairs of brackets.`, { offset });
  if (keys.slice(0, -1).includes(""))
    throw new DocumentFault("A list in brackets cannot contain lists or objects: [] must come last.", {
      offset,
    });
  return [first, ...keys];
}

function store(root: Dictionary, path: readonly string[], values: readonly string[], offset: number): void {
  const listed = path.length > 1 && path.at(-1) === "";
  const keys = listed ? path.slice(0, -1) : path;
  let map = root;
  for (const key of keys.slice(0, -1)) {
    const next = map.get(key) ?? new Map();
    if (!(next instanceof Map)) throw contradiction(key, offset);
    map.set(key, next);
    map = next;
  }
  const key = keys.at(-1) as string;
  const before = map.get(key);
  if (before instanceof Map) throw contradiction(key, offset);
  if (before === undefined) map.set(key, listed || values.length > 1 ? [...values] : (values[0] as string));
  else if (Array.isArray(before)) append(before, values);
  else map.set(key, [before, ...values] as List);
}

const contradiction = (key: string, offset: number): DocumentFault =>
  new DocumentFault(
    `${JSON.stringify(key.slice(0, 64))} is a value here and an object elsewhere; set arrays to repeat to keep such names as written.`,
    {
      offset,
    },
  );
