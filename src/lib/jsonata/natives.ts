import { OptionFault } from "../fault.ts";
import type { Expression } from "jsonata";
import type { Budget } from "../budget.ts";
import { textLength } from "../data/json-length.ts";
import { boundReplace, type Part } from "./replace.ts";

/** A function of the library. */
export interface Native {
  implementation(this: unknown, ...parameters: unknown[]): unknown;
}

export type Natives = Readonly<Record<NativeName, Native>>;

/** The library functions that we check before calling, with their signatures. */
const signatures = {
  append: "<xx:a>",
  base64decode: "<s-:s>",
  base64encode: "<s-:s>",
  decodeUrl: "<s-:s>",
  decodeUrlComponent: "<s-:s>",
  encodeUrl: "<s-:s>",
  encodeUrlComponent: "<s-:s>",
  eval: "<sx?:x>",
  formatNumber: "<n-so?:s>",
  fromMillis: "<n-s?s?:s>",
  join: "<a<s>s?:s>",
  length: "<s-:n>",
  lowercase: "<s-:s>",
  match: "<s-f<s:o>n?:a<o>>",
  pad: "<s-ns?:s>",
  replace: "<s-(sf)(sf)n?:s>",
  split: "<s-(sf)n?:a<s>>",
  string: "<x-b?:s>",
  substring: "<s-nn?:s>",
  toMillis: "<s-s?:n>",
  uppercase: "<s-:s>",
  zip: "<a+>",
} as const;

export type NativeName = keyof typeof signatures;

/** A query that returns the list of these functions. */
const query = `[${Object.keys(signatures)
  .map((name) => `$${name}`)
  .join(", ")}]`;

/** @param jsonata The library. */
export async function readNatives(jsonata: (query: string) => Expression): Promise<Natives> {
  const found = (await jsonata(query).evaluate(undefined)) as Native[];
  return Object.fromEntries(
    Object.keys(signatures).map((name, index) => [name, found[index]]),
  ) as unknown as Natives;
}

/** Replaces a function of the library. */
export function replaceNative(
  expression: Expression,
  name: NativeName,
  implementation: (this: unknown, ...parameters: never[]) => unknown,
): void {
  expression.registerFunction(
    name,
    implementation as (this: unknown, ...parameters: unknown[]) => unknown,
    signatures[name],
  );
}

/** Maximum ratio of a function's result to its text. */
const growth = {
  base64decode: 1,
  base64encode: 1.4,
  decodeUrl: 1,
  decodeUrlComponent: 1,
  encodeUrl: 9,
  encodeUrlComponent: 9,
  lowercase: 3,
  uppercase: 3,
} as const;

/** Most characters that one call of $pad may make. */
const maxPadding = 1_000_000;
/** Results up to this length are not measured exactly. */
const short = 4096;

/** Charges the results of functions to the budget before they are made. */
export function boundNatives(expression: Expression, natives: Natives, budget: Budget): void {
  const call = (name: NativeName, self: unknown, ...parameters: unknown[]): unknown =>
    natives[name].implementation.apply(self, parameters);

  for (const [name, times] of Object.entries(growth) as [keyof typeof growth, number][]) {
    replaceNative(expression, name, function (this: unknown, text?: string) {
      budget.text(Math.ceil((text?.length ?? 0) * times));
      return call(name, this, text);
    });
  }
  replaceNative(expression, "string", function (this: unknown, value: unknown, pretty?: boolean) {
    takeText(value, pretty === true, budget);
    return call("string", this, value, pretty);
  });
  // The expression calls these for the operators & and .. (`rewriteOperators`).
  expression.registerFunction("&", function (this: unknown, left: unknown, right: unknown) {
    const written = [left, right].map((value) => {
      if (value === undefined || typeof value === "string") return value ?? "";
      takeText(value, false, budget);
      return call("string", this, value) as string;
    }) as [string, string];
    budget.text(written[0].length + written[1].length);
    return written[0] + written[1];
  });
  expression.registerFunction("..", (from: unknown, to: unknown) => {
    for (const [end, code] of [
      [from, "T2003"],
      [to, "T2004"],
    ] as const) {
      // Thrown in the form that the library throws: it adds the sentence for this code.
      // oxlint-disable-next-line no-throw-literal
      if (end !== undefined && !Number.isInteger(end)) throw { code, value: end };
    }
    if (from === undefined || to === undefined || (from as number) > (to as number)) return undefined;
    const size = (to as number) - (from as number) + 1;
    budget.items(size);
    const list = Array.from<number>({ length: size });
    for (let index = 0; index < size; index++) list[index] = (from as number) + index;
    return Object.assign(list, { sequence: true });
  });
  replaceNative(expression, "join", function (this: unknown, parts?: string[], separator = "") {
    let length = separator.length * (parts?.length ?? 0);
    for (const part of parts ?? []) length += part.length;
    budget.text(length);
    return call("join", this, parts, separator);
  });
  replaceNative(expression, "pad", function (this: unknown, text?: string, width = 0, fill?: string) {
    // The library repeats the filling as often as the width, and cuts the result.
    const made = Math.abs(width) * (fill?.length || 1);
    if (!(made <= maxPadding)) throw new OptionFault(`$pad makes ${maxPadding} characters at most`);
    if (text !== undefined) budget.text(text.length + made);
    return call("pad", this, text, width, fill);
  });
  replaceNative(
    expression,
    "replace",
    function (this: unknown, text: string | undefined, pattern: Part, replacement: Part, limit?: number) {
      if (text === undefined) return call("replace", this, text, pattern, replacement, limit);
      const bound = boundReplace(text, pattern, replacement, limit, budget);
      return call("replace", this, text, bound.pattern, bound.replacement, limit);
    },
  );
  replaceNative(expression, "split", function (this: unknown, text?: string, by?: unknown, limit?: number) {
    // Each part is an item and a string.
    const max = Math.floor(budget.left / 40);
    const parts = call("split", this, text, by, Math.min(limit ?? Infinity, max + 1));
    return taken(parts, max, budget);
  });
  replaceNative(expression, "match", function (this: unknown, text?: string, by?: unknown, limit?: number) {
    // Each match is an object with a list of groups.
    const max = Math.floor(budget.left / 320);
    const found = call("match", this, text, by, Math.min(limit ?? Infinity, max + 1));
    return taken(found, max, budget);
  });
  replaceNative(expression, "zip", function (this: unknown, ...lists: unknown[]) {
    const shortest = Math.min(...lists.map((list) => (Array.isArray(list) ? list.length : 0)));
    budget.items(shortest * (lists.length + 4));
    return call("zip", this, ...lists);
  });
  replaceNative(
    expression,
    "formatNumber",
    function (this: unknown, value?: number, picture = "", ...options) {
      budget.text(400 + 4 * picture.length);
      return call("formatNumber", this, value, picture, ...(options as unknown[]));
    },
  );
  replaceNative(expression, "length", function (this: unknown, text?: string) {
    return text !== undefined && isLongAndSimple(text) ? text.length : callOnPoints("length", this, text);
  });
  replaceNative(expression, "substring", function (this: unknown, text?: string, from = 0, count?: number) {
    if (text === undefined || !isLongAndSimple(text))
      return callOnPoints("substring", this, text, from, count);
    const start = text.length + from < 0 ? 0 : from;
    if (count === undefined) return text.slice(start);
    if (count <= 0) return "";
    return text.slice(start, start >= 0 ? start + count : text.length + start + count);
  });

  /** Calls a function that makes a string of each character. */
  function callOnPoints(name: NativeName, self: unknown, text?: string, ...more: unknown[]): unknown {
    if (text !== undefined && text.length > short) budget.items(4 * text.length);
    return call(name, self, text, ...more);
  }
}

const isLongAndSimple = (text: string): boolean => text.length > short && !/[\ud800-\udfff]/.test(text);

function taken(list: unknown, max: number, budget: Budget): unknown {
  if (list instanceof Promise) return list.then((items: unknown) => taken(items, max, budget));
  if (!Array.isArray(list)) return list;
  // A longer list exceeds the rest of the budget, whatever its items are.
  budget.items(list.length > max ? Infinity : 5 * list.length);
  return list;
}

/**
 * Charges the text of a value to the budget.
 * @throws BudgetError
 */
function takeText(value: unknown, pretty: boolean, budget: Budget): void {
  if (typeof value === "string" || typeof value === "function") return;
  let units = 0;
  const add = (length: number): void => {
    units += length;
    if (units * 2 > budget.left) budget.text(units);
  };
  const walk = (part: unknown, level: number): void => {
    if (typeof part === "string") return add(textLength(part));
    if (typeof part !== "object" || part === null) return add(24);
    const keys = Array.isArray(part) ? undefined : Object.keys(part);
    const size = keys?.length ?? (part as unknown[]).length;
    add(2 + size + (pretty ? (size + 1) * (1 + 2 * (level + 1)) : 0));
    if (keys === undefined) for (const item of part as unknown[]) walk(item, level + 1);
    for (const key of keys ?? []) {
      add(textLength(key) + 2);
      walk((part as Record<string, unknown>)[key], level + 1);
    }
  };
  walk(value, 0);
  budget.text(units);
}
