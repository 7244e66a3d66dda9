import { type ErrorPlace, ToolError } from "../catalog/errors.ts";
import type { BlockRun } from "../catalog/tool.ts";
import { fromJson } from "../lib/data/from-json.ts";
import { isList, type Value } from "../lib/data/value.ts";
import { endOfItems } from "../lib/json/array-parts.ts";
import { refusingJson } from "./json-dialect.ts";
import { shifted } from "./line-run.ts";
import { createTextRun } from "./part-run.ts";

/** A text in place of the items before a part, so that its faults are those of the document. */
const before = "[0";

/** Makes a run over blocks of a JSON document that writes the items of its array, each on lines of its own. Another value is one part. */
export function createArrayRun(slug: string, writeItems: (items: Value) => string): BlockRun {
  let items = 0;
  let written = false;

  function* write(part: string, isLast: boolean): Generator<string> {
    const isBeginning = items === 0;
    const text = `${isBeginning ? "" : before}${part}${isLast ? "" : "]"}`;
    const value = inPart(() => refusingJson(text, "json", () => fromJson(text)), items);
    const own = isBeginning || !isList(value) ? value : value.slice(1);
    const lines = refusingJson(text, "json", () => writeItems(own));
    items += isList(own) ? own.length : 1;
    if (isList(own) && own.length === 0) return;
    yield written ? `\n${lines}` : lines;
    written = true;
  }

  return createTextRun(slug, {
    // The comma begins the next part.
    cut(bytes) {
      if (items === 0) return Math.max(0, endOfItems(bytes, true));
      const end = endOfItems(bytes.subarray(1), false);
      return end === 0 ? 0 : end + 1;
    },
    write: (part) => write(part, false),
    last: (part) => write(part, true),
  });
}

/** Runs work on a part after a number of items, and gives its errors the places that they have without what stands for these. */
function inPart<T>(work: () => T, items: number): T {
  try {
    return work();
  } catch (error) {
    if (items === 0 || !(error instanceof ToolError)) throw error;
    const { length } = before;
    const { code, message, details } = shifted(error, { bytes: -length, lines: 0, columns: -length });
    const errors = details.errors?.map((place) => withIndex(place, items - 1));
    throw new ToolError(code, message, { ...details, ...(errors !== undefined && { errors }) });
  }
}

/** Adds a number of items to the index with which a pointer begins. */
function withIndex({ pointer, ...place }: ErrorPlace, items: number): ErrorPlace {
  if (pointer === undefined) return place;
  return { ...place, pointer: pointer.replace(/^\/\d+/, (index) => `/${Number(index.slice(1)) + items}`) };
}
