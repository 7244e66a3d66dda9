import { DocumentFault } from "../fault.ts";

/** Different items of two lists; a table has at most 2^24 entries. */
const maxDifferent = 10_000_000;

export interface ListOptions {
  /** Text between items; without it, each line is an item. */
  separator?: string | undefined;
  ignoreCase: boolean;
  /** Whether white space around an item is ignored. */
  trim: boolean;
}

/** An item, written as it occurs first, and how often each list has it. */
export interface ListedItem {
  item: string;
  first: number;
  second: number;
  /** Its place in the text that has it first, in UTF-16 code units from 0. */
  index: number;
}

/**
 * Returns the different items of two lists, those of the first before those that only the second has. Empty items are left out.
 * @throws DocumentFault for more than ten million different items.
 */
export function compareLists(
  first: string,
  second: string,
  { separator, ignoreCase, trim }: ListOptions,
): ListedItem[] {
  const items = new Map<string, ListedItem>();
  const add = (text: string, index: number, list: "first" | "second"): void => {
    const item = trim ? text.trim() : text;
    if (item === "") return;
    const key = ignoreCase ? item.toLowerCase() : item;
    const known = items.get(key);
    if (known !== undefined) known[list]++;
    else if (items.size >= maxDifferent)
      throw new DocumentFault(
        `There are more than ${maxDifferent} different items.`,
        {},
        "too-many",
        maxDifferent,
      );
    else items.set(key, { item, first: 0, second: 0, index, [list]: 1 });
  };
  for (const [text, index] of readItems(first, separator)) add(text, index, "first");
  for (const [text, index] of readItems(second, separator)) add(text, index, "second");
  return [...items.values()];
}

function* readItems(text: string, separator = "\n"): Generator<[item: string, index: number]> {
  for (let from = 0; from <= text.length;) {
    const found = text.indexOf(separator, from);
    const to = found === -1 ? text.length : found;
    const end = separator === "\n" && text[to - 1] === "\r" && to > from ? to - 1 : to;
    yield [text.slice(from, end), from];
    from = to + separator.length;
  }
}

/** The items of two lists that the result has. */
export type Wanted = "first" | "second" | "both" | "either" | "different";

/**
 * Selects items. With `repeated` the lists are counted as `comm` does: an item that the first list has three times and the
 * second once is twice only in the first, and once in both.
 */
export function selectItems(items: readonly ListedItem[], wanted: Wanted, repeated: boolean): string[] {
  return items.flatMap((one) => {
    const times = timesOf(one, wanted, repeated);
    return times === 1 ? [one.item] : Array.from({ length: times }, () => one.item);
  });
}

function timesOf({ first, second }: ListedItem, wanted: Wanted, repeated: boolean): number {
  const [a, b] = repeated ? [first, second] : [Math.min(first, 1), Math.min(second, 1)];
  if (wanted === "first") return Math.max(a - b, 0);
  if (wanted === "second") return Math.max(b - a, 0);
  if (wanted === "both") return Math.min(a, b);
  return wanted === "either" ? Math.max(a, b) : Math.abs(a - b);
}
