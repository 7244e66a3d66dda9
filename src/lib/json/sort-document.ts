import { compareDecimals, type Decimal, toDecimal } from "../number/decimal.ts";
import { compareCodePoints } from "./code-point-order.ts";

export interface SortOptions {
  order: "asc" | "desc";
  /** Whether arrays are sorted too. */
  arrays: "keep" | "sort";
}

/**
 * Sorts the members of every object by code point of the decoded keys, and the items of arrays if asked to.
 * `text` must be JSON on one line; keys and values keep their text, and equals keep their order.
 */
export function sortDocument(text: string, { order, arrays }: SortOptions): string {
  const direction = order === "asc" ? 1 : -1;
  const open: Container[] = [];
  let container: Container | undefined;
  let at = 0;
  for (;;) {
    const unit = text.charCodeAt(at);
    let part: string;
    if (unit === 0x2c) {
      at++;
      continue;
    }
    if (unit === 0x7b || unit === 0x5b) {
      if (container !== undefined) open.push(container);
      container = { list: unit === 0x5b, parts: [], key: "" };
      at++;
      continue;
    }
    if (container !== undefined && (unit === 0x7d || unit === 0x5d)) {
      part = close(container, direction, arrays);
      container = open.pop();
      at++;
    } else {
      const end = unit === 0x22 ? endOfString(text, at) : endOfWord(text, at);
      part = text.slice(at, end);
      at = end;
      if (container !== undefined && text.charCodeAt(at) === 0x3a) {
        container.key = part;
        at++;
        continue;
      }
    }
    if (container === undefined) return part;
    if (container.list) container.parts.push({ text: part });
    else container.parts.push({ text: `${container.key}:${part}`, key: decode(container.key) });
  }
}

/** A member or an item as JSON on one line. */
export interface Part {
  text: string;
  /** The decoded key of a member. */
  key?: string;
}

interface Container {
  list: boolean;
  parts: Part[];
  /** The pending key, as written. */
  key: string;
}

/** Sorts the members of an object by key, or the items of a list if asked to. */
export function sortParts<P extends Part>(
  parts: P[],
  list: boolean,
  direction: number,
  arrays: SortOptions["arrays"],
): void {
  if (!list) parts.sort((a, b) => direction * compareCodePoints(a.key as string, b.key as string));
  else if (arrays === "sort") sortItems(parts, direction);
}

function close({ list, parts }: Container, direction: number, arrays: "keep" | "sort"): string {
  sortParts(parts, list, direction, arrays);
  // V8 keeps `+=` as a tree. Joining anew at every level would be quadratic in the depth.
  let text = list ? "[" : "{";
  for (const [index, part] of parts.entries()) text += index === 0 ? part.text : `,${part.text}`;
  return text + (list ? "]" : "}");
}

/**
 * Orders null, false, true, numbers by value, strings by code point, arrays, objects by their sorted text.
 */
function sortItems<P extends Part>(parts: P[], direction: number): void {
  const items = parts.map((part) => ({ part, rank: rankOf(part.text), ...sortKeyOf(part.text) }));
  items.sort((a, b) => {
    if (a.rank !== b.rank) return direction * (a.rank - b.rank);
    if (a.number !== undefined && b.number !== undefined) {
      return direction * compareDecimals(a.number, b.number);
    }
    return direction * compareCodePoints(a.string, b.string);
  });
  for (const [index, { part }] of items.entries()) parts[index] = part;
}

function rankOf(text: string): number {
  const rank = 'nft"[{'.indexOf(text[0] as string);
  return rank < 0 ? 2.5 : rank;
}

function sortKeyOf(text: string): { string: string; number?: Decimal } {
  if (text.startsWith('"')) return { string: decode(text) };
  return rankOf(text) === 2.5 ? { string: "", number: toDecimal(text) } : { string: text };
}

const decode = (text: string): string =>
  text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1);

function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (; text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
  return at + 1;
}

/** Returns the offset after a number, true, false or null. */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !",]}".includes(text[at] as string)) at++;
  return at;
}
