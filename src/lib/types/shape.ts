import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { formatOf } from "../json-schema/scalar-keywords.ts";
import { compareNumbers } from "../number/decimal.ts";

/** The types of the samples at one place in a document. Numbers are counts of samples. */
export interface Shape {
  nulls: number;
  booleans: number;
  /** Numbers written without a point and an exponent. */
  integers: number;
  /** The smallest and the largest of them, as written. */
  smallest: string | undefined;
  largest: string | undefined;
  /** Other numbers. */
  decimals: number;
  strings: number;
  /** Formats that every string has, the preferred one first. */
  formats: readonly string[];
  /** The different strings, at most `maxValues` and one more. */
  values: Set<string>;
  objects: number;
  members: Map<string, Shape>;
  arrays: number;
  items: Shape | undefined;
}

/** Different strings that are kept; more are no enumeration. */
export const maxValues = 20;

/** Formats that are looked for. A date is no URI, and an address of IPv4 no host name that somebody meant. */
const known = ["date-time", "date", "time", "uuid", "ipv4", "ipv6", "email", "uri"];

/** Returns the shape of samples. Dates of TOML count as strings, and numbers that JSON lacks too. */
export function shapeOf(samples: Iterable<Value>): Shape {
  const shape = emptyShape();
  for (const sample of samples) addSample(shape, sample);
  return shape;
}

/** Returns the number of samples. */
export const countOf = (shape: Shape): number =>
  shape.nulls +
  shape.booleans +
  shape.integers +
  shape.decimals +
  shape.strings +
  shape.objects +
  shape.arrays;

export const emptyShape = (): Shape => ({
  nulls: 0,
  booleans: 0,
  integers: 0,
  smallest: undefined,
  largest: undefined,
  decimals: 0,
  strings: 0,
  formats: known,
  values: new Set(),
  objects: 0,
  members: new Map(),
  arrays: 0,
  items: undefined,
});

/** Adds a sample and what is in it; parsers limit how deep that is. */
function addSample(shape: Shape, value: Value): void {
  if (value === null) shape.nulls++;
  else if (typeof value === "boolean") shape.booleans++;
  else if (typeof value === "string") addString(shape, value);
  else if (isList(value)) {
    shape.arrays++;
    for (const item of value) addSample((shape.items ??= emptyShape()), item);
  } else if (isDictionary(value)) {
    shape.objects++;
    for (const [key, member] of value) {
      let of = shape.members.get(key);
      if (of === undefined) shape.members.set(key, (of = emptyShape()));
      addSample(of, member);
    }
  } else if (isLiteral(value)) {
    if (value.kind === "number") addNumber(shape, value.text);
    else addString(shape, value.text);
  }
}

function addString(shape: Shape, text: string): void {
  shape.strings++;
  if (shape.values.size <= maxValues && !shape.values.has(text)) {
    shape.values.add(text);
  }
  if (shape.formats.length > 0)
    shape.formats = shape.formats.filter((name) => formatOf(name)?.(text) === true);
}

function addNumber(shape: Shape, text: string): void {
  if (!/^-?\d+$/.test(text)) {
    shape.decimals++;
    return;
  }
  shape.integers++;
  if (shape.smallest === undefined || compareNumbers(text, shape.smallest) < 0) shape.smallest = text;
  if (shape.largest === undefined || compareNumbers(text, shape.largest) > 0) shape.largest = text;
}
