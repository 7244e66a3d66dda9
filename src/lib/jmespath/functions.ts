import { OptionFault } from "../fault.ts";
import type { Budget } from "../budget.ts";
import { equalValues } from "../data/equal.ts";
import { jsonLength } from "../data/json-length.ts";
import { toJson } from "../data/to-json.ts";
import { isDictionary, isList, isLiteral, type Literal, toNumber, type Value } from "../data/value.ts";
import { compareCodePoints } from "../json/code-point-order.ts";
import { compareDecimals, toDecimal } from "../number/decimal.ts";
import { ceilNumber, floorNumber, sumNumbers } from "../number/arithmetic.ts";
import { countPoints } from "../text/count-points.ts";

/** An argument of a function: a value, or an expression to apply (`&name`). */
export type Argument = { value: Value } | { apply: (item: Value) => Value };

type Kind = "string" | "number" | "boolean" | "array" | "object" | "null" | "expression";

interface Definition {
  /** Types allowed for each parameter; an empty list allows any. The last one repeats if `variadic`. */
  takes: Kind[][];
  variadic?: boolean;
  /**
   * Parameters that are expressions are passed as functions. The result is charged to the budget before it is
   * made.
   */
  run(values: Value[], apply: (item: Value) => Value, fail: Fail, budget: Budget): Value;
}

type Fail = (message: string) => never;

/**
 * Calls a built-in function.
 * @throws OptionFault if the function does not exist or does not accept these parameters.
 * @throws BudgetError
 */
export function callFunction(
  name: string,
  parameters: readonly Argument[],
  index: number,
  budget: Budget,
): Value {
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  const fail = (message: string): never => {
    throw new OptionFault(`${name}(): ${message}`, { index });
  };
  if (definition === undefined) return fail("there is no such function");
  const { takes, variadic = false } = definition;
  if (parameters.length < takes.length || (!variadic && parameters.length > takes.length))
    fail(`it takes ${variadic ? "at least " : ""}${takes.length}, not ${parameters.length}`);
  for (const [at, parameter] of parameters.entries()) {
    const wanted = takes[Math.min(at, takes.length - 1)] as Kind[];
    const found = "apply" in parameter ? "expression" : typeOf(parameter.value);
    if (wanted.length === 0 ? found === "expression" : !wanted.includes(found))
      fail(`parameter ${at + 1} must be ${wanted.join(" or ") || "a value"}, not ${found}`);
  }
  const expression = parameters.find((parameter) => "apply" in parameter);
  const values = parameters.flatMap((parameter) => ("value" in parameter ? [parameter.value] : []));
  return definition.run(values, expression?.apply ?? ((item) => item), fail, budget);
}

const any: Kind[] = [];

const definitions: Record<string, Definition> = {
  abs: {
    takes: [["number"]],
    run([value], _, __, budget) {
      const { text } = value as Literal;
      budget.text(text.length);
      return toNumber(text.replace(/^-/, ""));
    },
  },
  avg: {
    takes: [["array"]],
    run([list], _, fail, budget) {
      const numbers = numbersOf(list, fail, budget);
      if (numbers.length === 0) return null;
      const mean = Number(sum(numbers, fail)) / numbers.length;
      return Number.isFinite(mean) ? toNumber(String(mean)) : fail("the mean is beyond a double");
    },
  },
  ceil: { takes: [["number"]], run: ([value]) => toNumber(ceilNumber((value as Literal).text)) },
  contains: {
    takes: [["array", "string"], any],
    run([subject, wanted]) {
      if (typeof subject === "string") return typeof wanted === "string" && subject.includes(wanted);
      return (subject as Value[]).some((item) => equalValues(item, wanted as Value));
    },
  },
  ends_with: {
    takes: [["string"], ["string"]],
    run: ([text, end]) => (text as string).endsWith(end as string),
  },
  floor: { takes: [["number"]], run: ([value]) => toNumber(floorNumber((value as Literal).text)) },
  join: {
    takes: [["string"], ["array"]],
    run([glue, list], _, fail, budget) {
      const strings = stringsOf(list, fail, budget);
      const between = (glue as string).length * Math.max(0, strings.length - 1);
      budget.text(strings.reduce((sum, text) => sum + text.length, between));
      return strings.join(glue as string);
    },
  },
  keys: {
    takes: [["object"]],
    run([value], _, __, budget) {
      budget.items((value as Map<string, Value>).size);
      return [...(value as Map<string, Value>).keys()];
    },
  },
  length: {
    takes: [["string", "array", "object"]],
    run([value]) {
      if (isDictionary(value as Value)) return toNumber(String((value as Map<string, Value>).size));
      return toNumber(
        String(isList(value as Value) ? (value as Value[]).length : countPoints(value as string)),
      );
    },
  },
  map: {
    takes: [["expression"], ["array"]],
    run([list], apply, _, budget) {
      budget.items((list as Value[]).length);
      return (list as Value[]).map(apply);
    },
  },
  max: {
    takes: [["array"]],
    run: ([list], _, fail, budget) =>
      last(sorted((list as Value[]).toReversed(), (item) => item, fail, budget)),
  },
  max_by: {
    takes: [["array"], ["expression"]],
    run: ([list], apply, fail, budget) => last(sorted((list as Value[]).toReversed(), apply, fail, budget)),
  },
  merge: {
    takes: [["object"]],
    variadic: true,
    run(values, _, __, budget) {
      budget.members((values as Map<string, Value>[]).reduce((sum, { size }) => sum + size, 2));
      const merged = new Map<string, Value>();
      for (const value of values as Map<string, Value>[])
        for (const [key, member] of value) merged.set(key, member);
      return merged;
    },
  },
  min: {
    takes: [["array"]],
    run: ([list], _, fail, budget) => sorted(list, (item) => item, fail, budget)[0] ?? null,
  },
  min_by: {
    takes: [["array"], ["expression"]],
    run: ([list], apply, fail, budget) => sorted(list, apply, fail, budget)[0] ?? null,
  },
  not_null: { takes: [any], variadic: true, run: (values) => values.find((value) => value !== null) ?? null },
  reverse: {
    takes: [["string", "array"]],
    run([value], _, __, budget) {
      if (typeof value === "string") {
        budget.text(value.length);
        return reversePoints(value);
      }
      budget.items((value as Value[]).length);
      return (value as Value[]).toReversed();
    },
  },
  sort: {
    takes: [["array"]],
    run: ([list], _, fail, budget) => sorted(list, (item) => item, fail, budget),
  },
  sort_by: {
    takes: [["array"], ["expression"]],
    run: ([list], apply, fail, budget) => sorted(list, apply, fail, budget),
  },
  starts_with: {
    takes: [["string"], ["string"]],
    run: ([text, start]) => (text as string).startsWith(start as string),
  },
  sum: {
    takes: [["array"]],
    run: ([list], _, fail, budget) => toNumber(sum(numbersOf(list, fail, budget), fail)),
  },
  to_array: {
    takes: [any],
    run: ([value]) => (isList(value as Value) ? (value as Value) : [value as Value]),
  },
  to_number: {
    takes: [any],
    run([value]) {
      if (isLiteral(value as Value)) return value as Value;
      const written =
        typeof value === "string" && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value);
      return written ? toNumber(value) : null;
    },
  },
  to_string: {
    takes: [any],
    run([value], _, __, budget) {
      if (typeof value === "string") return value;
      budget.text(jsonLength(value as Value, 0, budget.left));
      return toJson(value as Value, 0);
    },
  },
  type: { takes: [any], run: ([value]) => typeOf(value as Value) },
  values: {
    takes: [["object"]],
    run([value], _, __, budget) {
      budget.items((value as Map<string, Value>).size);
      return [...(value as Map<string, Value>).values()];
    },
  },
};

function typeOf(value: Value): Kind {
  if (value === null) return "null";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (isList(value)) return "array";
  return isDictionary(value) ? "object" : "number";
}

function numbersOf(list: Value | undefined, fail: Fail, budget: Budget): Literal[] {
  budget.items((list as Value[]).length);
  return (list as Value[]).map((item) =>
    isLiteral(item) ? item : fail(`it takes numbers, not ${typeOf(item)}`),
  );
}

function stringsOf(list: Value | undefined, fail: Fail, budget: Budget): string[] {
  budget.items((list as Value[]).length);
  return (list as Value[]).map((item) =>
    typeof item === "string" ? item : fail(`it takes strings, not ${typeOf(item)}`),
  );
}

/**
 * Reverses a text by code points without making a string of each, which would take thirty times the memory.
 */
function reversePoints(text: string): string {
  const units = new Uint16Array(text.length);
  let to = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const pair = isPair(text, at);
    units[to++] = text.charCodeAt(pair ? at - 1 : at);
    if (pair) units[to++] = text.charCodeAt(at--);
  }
  return Buffer.from(units.buffer).toString("utf16le");
}

/** Reports whether the unit at `at` is the second of a surrogate pair. */
const isPair = (text: string, at: number): boolean =>
  at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;

/** Sorts by the results of `apply`: all numbers, or all strings. Equals keep their order. */
function sorted(list: Value | undefined, apply: (item: Value) => Value, fail: Fail, budget: Budget): Value[] {
  // Sorting stores each item with its key and the parts of its number.
  budget.items(8 * (list as Value[]).length);
  const items = (list as Value[]).map((item) => ({ item, key: apply(item) }));
  const kinds = new Set(items.map(({ key }) => typeOf(key)));
  if (kinds.size > 1 || [...kinds].some((kind) => kind !== "number" && kind !== "string"))
    fail(`it takes all numbers or all strings, not ${[...kinds].join(" and ")}`);
  if (kinds.has("string")) {
    items.sort((a, b) => compareCodePoints(a.key as string, b.key as string));
    return items.map(({ item }) => item);
  }
  return items
    .map(({ item, key }) => ({ item, decimal: toDecimal((key as Literal).text) }))
    .toSorted((a, b) => compareDecimals(a.decimal, b.decimal))
    .map(({ item }) => item);
}

const sum = (numbers: readonly Literal[], fail: Fail): string =>
  sumNumbers(numbers.map(({ text }) => text)) ?? fail("these numbers are too large or too small to add");

/** Returns the first of the greatest. */
const last = (items: readonly Value[]): Value => items.at(-1) ?? null;
