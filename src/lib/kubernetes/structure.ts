import { joinWords } from "../join-words.ts";
import { nearest } from "../nearest.ts";
import { type Dictionary, isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { compareNumbers, isWholeNumber } from "../number/decimal.ts";
import { type At, child, isPresent, quote, type ReportAt, type Severity } from "./at.ts";
import { parseQuantity } from "./quantity.ts";
import type { Release } from "./releases.ts";
import { plainName, type Shape, type Types } from "./types.ts";

export interface StructureOptions {
  types: Types;
  /** Severity of fields that the types lack. */
  unknown: Severity;
  /** Fields of the releases that are not the chosen one, to say since when a field exists. */
  others: ReadonlyMap<Release, Types>;
  /** Whether no further finding of a severity would be reported, so that none needs to be made. */
  isFull(severity: Severity): boolean;
}

/**
 * Validates a value by a type of the API: fields, types, formats, enumerations. Null is a missing value, as the API server has
 * it. The fields of `status` are not required, because an object has none before a controller writes them. Recursive: parsers
 * limit documents to 512 levels.
 */
export function checkStructure(root: At, type: string, report: ReportAt, options: StructureOptions): void {
  const { types, unknown, others, isFull } = options;
  visit({ type }, root, { name: plainName(type), status: false });

  function visit(
    shape: Shape,
    at: At,
    field: { name: string; values?: readonly string[] | undefined; status: boolean },
  ): void {
    const { value } = at;
    if (value === undefined || value === null || isFull("error")) return;
    if ("list" in shape) {
      if (!isList(value)) return wrong(at, field.name, "a list", value);
      for (const [index, item] of value.entries())
        visit(
          shape.list,
          { value: emptied(shape.list, item), pointer: `${at.pointer}/${index}` },
          { ...field, name: `${field.name}[${index}]` },
        );
    } else if ("map" in shape) {
      if (!isDictionary(value)) return wrong(at, field.name, "an object", value);
      for (const key of value.keys())
        visit(shape.map, child(at, key), { name: `${field.name}[${quote(key)}]`, status: field.status });
    } else if (/^[a-z]/.test(shape.type)) {
      const expected = expectedOf(shape.type, value);
      if (expected !== undefined) return wrong(at, field.name, expected, value);
      if (field.values !== undefined && typeof value === "string")
        checkValue(at, value, field.name, field.values);
    } else if (!isDictionary(value)) wrong(at, field.name, "an object", value);
    else visitObject(shape.type, at, value, field.status);
  }

  function visitObject(name: string, at: At, value: Dictionary, status: boolean): void {
    const fields = types.fieldsOf(name);
    for (const key of value.keys()) {
      const field = fields.get(key);
      if (field === undefined) reportUnknown(name, child(at, key), key, fields);
      else
        visit(field.shape, child(at, key), {
          name: key,
          values: field.values,
          status: status || (at === root && key === "status"),
        });
    }
    if (status) return;
    for (const [key, { required }] of fields) {
      if (required && !isPresent(child(at, key)))
        report("required", at, `${plainName(name)} must have ${key}.`);
    }
  }

  function reportUnknown(name: string, at: At, key: string, fields: ReadonlyMap<string, unknown>): void {
    if (isFull(unknown)) return;
    const near = nearest(key, fields.keys());
    const other = [...others].find(([, one]) => one.fieldsOf(name).has(key))?.[0];
    const advice =
      other !== undefined
        ? ` It is one in release 1.${other}; set version to 1.${other} if your cluster has that release.`
        : near !== undefined
          ? ` Did you mean ${near}?`
          : fields.size > 0 && fields.size <= 8
            ? ` Its fields are ${joinWords([...fields.keys()], "and")}.`
            : "";
    report("unknown-field", at, `${quote(key)} is not a field of ${plainName(name)}.${advice}`, unknown);
  }

  function wrong(at: At, name: string, expected: string, value: Value): void {
    report("type", at, `${name} must be ${expected}, not ${describe(value)}.${remedyOf(expected, value)}`);
  }

  function checkValue(at: At, value: string, name: string, values: readonly string[]): void {
    if (values.includes(value)) return;
    const same = values.find((one) => one.toLowerCase() === value.toLowerCase()) ?? nearest(value, values);
    const shown = joinWords(values.filter((one) => one !== ""));
    report(
      "enum",
      at,
      `${name} must be ${shown}, not ${quote(value)}.${same ? ` Did you mean ${same}?` : ""}`,
    );
  }
}

/** Null as an item of a list is an object without fields. */
const emptied = (shape: Shape, item: Value): Value =>
  item === null && "type" in shape && /^[A-Z]/.test(shape.type) ? new Map() : item;

/** Returns what a scalar must be, undefined if it is that. */
function expectedOf(type: string, value: Value): string | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" ? undefined : "a string";
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "int32":
      return isWithin(value, "2147483647", "-2147483648") ? undefined : "a whole number of 32 bits";
    case "int64":
      return isWithin(value, "9223372036854775807", "-9223372036854775808")
        ? undefined
        : "a whole number of 64 bits";
    case "number":
      return isNumber(value) ? undefined : "a number";
    case "int-or-string":
      return typeof value === "string" || isWithin(value, "2147483647", "-2147483648")
        ? undefined
        : "a whole number or a string";
    case "quantity":
      return isQuantity(value) ? undefined : "a quantity, such as 500m, 2 or 1.5Gi";
    case "time":
      return typeof value === "string" && isTime(value)
        ? undefined
        : "a time of RFC 3339, such as 2026-01-31T12:00:00Z";
    case "byte":
      return typeof value === "string" && isBase64(value)
        ? undefined
        : "a string in Base64 (put text into stringData of a Secret)";
    default:
      return undefined;
  }
}

const isNumber = (value: Value): value is Value & { text: string } =>
  isLiteral(value) && value.kind === "number";

const isWithin = (value: Value, most: string, least: string): boolean =>
  isNumber(value) &&
  value.text.length <= 24 &&
  isWholeNumber(value.text) &&
  compareNumbers(value.text, most) <= 0 &&
  compareNumbers(value.text, least) >= 0;

const isQuantity = (value: Value): boolean =>
  (typeof value === "string" && parseQuantity(value) !== undefined) ||
  (isNumber(value) && parseQuantity(value.text) !== undefined);

const isTime = (text: string): boolean =>
  /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d{1,9})?(?:Z|[-+]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text));

/** RFC 4648 §4; line ends are skipped, as Go does. */
function isBase64(text: string): boolean {
  const bare = text.replace(/[\r\n]/g, "");
  return bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare);
}

function describe(value: Value): string {
  if (typeof value === "string") return quote(value);
  if (isList(value)) return "a list";
  if (isDictionary(value)) return "an object";
  return isLiteral(value) ? quoteless(value.text) : String(value);
}

const quoteless = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Says what to write where YAML has read another type than was meant. */
function remedyOf(expected: string, value: Value): string {
  if (expected === "a string" && (typeof value === "boolean" || isNumber(value))) return " Put it in quotes.";
  if (typeof value === "string" && /^(?:true or false|a (?:whole )?number)/.test(expected)) {
    if (/^(?:true|false|-?\d+)$/.test(value)) return " Remove the quotes.";
  }
  return expected === "a list" && !isList(value) ? " Begin each item with -." : "";
}
