import type * as re2js from "re2js";
import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { createNumbering } from "../data/equal.ts";
import { escapeToken } from "../json/pointer.ts";
import { toRe2 } from "../json-schema/ecma-to-re2.ts";
import { toRegExp } from "../json-schema/patterns.ts";
import { OptionFault } from "../fault.ts";
import { type Casing, casings, hasCasing } from "./casing.ts";

/** A finding of a function in a value. */
export interface Result {
  message: string;
  /** Tokens below the value, if only a part of it is at fault. */
  path?: readonly string[];
}

/** The input of a function besides the value. */
export interface FunctionContext {
  /** The document, in which references are not followed. */
  root: Value;
  /** Every `$ref` of the document that leads into it, as a pointer. */
  references(): ReadonlySet<string>;
}

export type Check = (value: Value | undefined, context: FunctionContext) => Result[];

/** Makes a function from its options. @throws OptionFault with what is wrong with them, and the name of the option */
export type Maker = (options: ReadonlyMap<string, Value>, deps: MakerDeps) => Check;

export interface MakerDeps {
  re2: typeof re2js;
  /** Prepares a schema. @throws DocumentFault */
  schema(schema: Value, dialect: string): (value: Value) => Result[];
}

const wrong = (option: string, message: string): OptionFault =>
  new OptionFault(`${option} ${message}`, { option });

const textOf = (value: Value | undefined): string =>
  typeof value === "string"
    ? JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
    : value === undefined
      ? "nothing"
      : isList(value)
        ? "a list"
        : isDictionary(value)
          ? "an object"
          : value !== null && isLiteral(value)
            ? value.text.slice(0, 40)
            : String(value);

/** As in JavaScript. */
export const isTruthy = (value: Value | undefined): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== "" &&
  !(isLiteral(value) && value.kind === "number" && Number(value.text) === 0);

const when = (fails: boolean, message: string): Result[] => (fails ? [{ message }] : []);

const pattern: Maker = (options, { re2 }) => {
  const [match, notMatch] = ["match", "notMatch"].map((name) => {
    const given = options.get(name);
    if (given === undefined) return undefined;
    if (typeof given !== "string") throw wrong(name, "must be a regular expression.");
    return { text: given, test: compile(re2, name, given) };
  });
  if (match === undefined && notMatch === undefined) throw wrong("match", "or notMatch is needed.");
  return (value) => {
    if (typeof value !== "string") return [];
    return [
      ...when(match !== undefined && !match.test(value), `must match the pattern ${textOf(match?.text)}`),
      ...when(notMatch?.test(value) === true, `must not match the pattern ${textOf(notMatch?.text)}`),
    ];
  };
};

/** Compiles a pattern, or `/pattern/flags`, with RE2, which takes linear time. */
function compile(re2: typeof re2js, option: string, text: string): (value: string) => boolean {
  const [, body, flags = ""] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [undefined, text];
  if (/[^gimsuy]/.test(flags)) throw wrong(option, `has the flag ${textOf(flags)}; i, m and s can be given.`);
  const inline = [...flags].filter((flag) => "ims".includes(flag)).join("");
  try {
    // Many patterns have escapes that only the legacy grammar allows.
    const source = (body ?? text).replaceAll(/\\([/:@!#%&=<>"'`~,; _-])/g, (_, unit: string) =>
      unit === "-" ? "\\x2d" : unit,
    );
    if (toRegExp(source, "u") === undefined) throw wrong(option, `is no regular expression: ${textOf(text)}`);
    const linear = toRe2(source);
    if (linear === undefined)
      throw wrong(
        option,
        `needs look-around, a back-reference or a name that RE2 does not have: ${textOf(text)}`,
      );
    const compiled = re2.RE2JS.compile(`${inline === "" ? "" : `(?${inline})`}${linear}`);
    return (value) => compiled.matcher(value).find();
  } catch (error) {
    if (error instanceof OptionFault) throw error;
    if (!(error instanceof re2.RE2JSException)) throw error;
    throw wrong(option, `is no regular expression: ${textOf(text)}`);
  }
}

const casing: Maker = (options) => {
  const type = options.get("type");
  if (typeof type !== "string" || !casings.includes(type as Casing))
    throw wrong("type", `must be one of ${casings.join(", ")}.`);
  const given = options.get("separator");
  const char = isDictionary(given ?? null) ? (given as ReadonlyMap<string, Value>).get("char") : undefined;
  if (given !== undefined && (typeof char !== "string" || char.length !== 1))
    throw wrong("separator", "must have char, one character.");
  const separator =
    typeof char === "string"
      ? { char, allowLeading: (given as ReadonlyMap<string, Value>).get("allowLeading") === true }
      : undefined;
  const form = { type: type as Casing, disallowDigits: options.get("disallowDigits") === true, separator };
  return (value) =>
    when(typeof value === "string" && value !== "" && !hasCasing(value, form), `must be in ${type} case`);
};

const length: Maker = (options) => {
  const [min, max] = ["min", "max"].map((name) => {
    const given = options.get(name);
    if (given === undefined) return undefined;
    if (given === null || !isLiteral(given) || given.kind !== "number")
      throw wrong(name, "must be a number.");
    return Number(given.text);
  });
  if (min === undefined && max === undefined) throw wrong("min", "or max is needed.");
  return (value) => {
    const size = sizeOf(value);
    if (size === undefined) return [];
    return [
      ...when(min !== undefined && size < min, `must be at least ${min} long or large`),
      ...when(max !== undefined && size > max, `must be at most ${max} long or large`),
    ];
  };
};

const sizeOf = (value: Value | undefined): number | undefined => {
  if (typeof value === "string") return value.length;
  if (value === undefined || value === null || typeof value === "boolean") return undefined;
  if (isList(value)) return value.length;
  if (isDictionary(value)) return value.size;
  return value.kind === "number" ? Number(value.text) : undefined;
};

const enumeration: Maker = (options) => {
  const values = options.get("values");
  if (!isList(values ?? null)) throw wrong("values", "must be a list.");
  const numberOf = createNumbering();
  const known = new Set((values as Value[]).map(numberOf));
  const shown = (values as Value[]).slice(0, 8).map(textOf).join(", ");
  return (value) => {
    const isPlain = value !== undefined && !isList(value) && !isDictionary(value);
    return when(isPlain && !known.has(numberOf(value)), `must be one of ${shown}`);
  };
};

const alphabetical: Maker = (options) => {
  const keyedBy = options.get("keyedBy");
  if (keyedBy !== undefined && typeof keyedBy !== "string")
    throw wrong("keyedBy", "must be the name of a property.");
  return (value) => {
    if (value === undefined || !(isList(value) || isDictionary(value))) return [];
    const items = isList(value)
      ? value.map((one, at) => [String(at), one] as const)
      : [...value.keys()].map((key) => [key, key] as const);
    const keys = items.map(([, one]) =>
      keyedBy === undefined ? one : isDictionary(one) ? (one.get(keyedBy) ?? null) : null,
    );
    const at = keys.findIndex((key, index) => index > 0 && compareKeys(keys[index - 1] ?? null, key) > 0);
    if (at < 1) return [];
    return [
      {
        message: `${textOf(keys[at - 1])} must come after ${textOf(keys[at])}`,
        path: keyedBy === undefined ? [items[at - 1]?.[0] ?? ""] : [],
      },
    ];
  };
};

function compareKeys(a: Value, b: Value): number {
  const [x, y] = [a, b].map((one) =>
    typeof one === "string" ? one : one !== null && isLiteral(one) ? one.text : undefined,
  );
  if (x === undefined || y === undefined) return 0;
  const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);
  return isNumber(x) && isNumber(y) ? Number(x) - Number(y) : x.localeCompare(y, "en");
}

const properties = (options: ReadonlyMap<string, Value>): string[] => {
  const given = options.get("properties");
  const names = isList(given ?? null) ? (given as Value[]).filter((name) => typeof name === "string") : [];
  if (names.length < 1) throw wrong("properties", "must be a list of names.");
  return names;
};

const countOf = (value: ReadonlyMap<string, Value>, names: readonly string[]): number =>
  names.filter((name) => value.has(name)).length;

const or: Maker = (options) => {
  const names = properties(options);
  return (value) =>
    when(
      isDictionary(value ?? null) && countOf(value as ReadonlyMap<string, Value>, names) === 0,
      `must have at least one of ${names.map(textOf).join(", ")}`,
    );
};

const xor: Maker = (options) => {
  const names = properties(options);
  return (value) =>
    when(
      isDictionary(value ?? null) && countOf(value as ReadonlyMap<string, Value>, names) !== 1,
      `must have exactly one of ${names.map(textOf).join(", ")}`,
    );
};

const typedEnum: Maker = () => (value) => {
  if (!isDictionary(value ?? null)) return [];
  const schema = value as ReadonlyMap<string, Value>;
  const [type, values] = [schema.get("type"), schema.get("enum")];
  const types = (isList(type ?? null) ? (type as Value[]) : [type]).filter((one) => typeof one === "string");
  if (types.length === 0 || !isList(values ?? null)) return [];
  const isNullable = schema.get("nullable") === true || schema.get("x-nullable") === true;
  return (values as Value[]).flatMap((one, at) =>
    types.some((name) => isOfType(name, one)) || (one === null && isNullable)
      ? []
      : [{ message: `${textOf(one)} must be of type ${types.join(" or ")}`, path: ["enum", String(at)] }],
  );
};

function isOfType(type: string, value: Value): boolean {
  if (type === "null") return value === null;
  if (type === "array") return isList(value);
  if (type === "object") return isDictionary(value);
  if (type === "string" || type === "boolean") return typeof value === type;
  if (value === null || !isLiteral(value) || value.kind !== "number") return false;
  return type === "number" || (type === "integer" && Number.isInteger(Number(value.text)));
}

const unreferencedReusableObject: Maker = (options) => {
  const location = options.get("reusableObjectsLocation");
  if (typeof location !== "string" || !location.startsWith("#"))
    throw wrong("reusableObjectsLocation", 'must be a reference such as "#/components/schemas".');
  const start = location.slice(1).replace(/\/$/, "");
  return (value, { references }) => {
    if (!isDictionary(value ?? null)) return [];
    const used = new Set<string>();
    for (const reference of references()) {
      // A part of an object counts for the object.
      if (!reference.startsWith(`${start}/`)) continue;
      const end = reference.indexOf("/", start.length + 1);
      used.add(end < 0 ? reference : reference.slice(0, end));
    }
    return [...(value as ReadonlyMap<string, Value>).keys()].flatMap((name) =>
      used.has(`${start}/${escapeToken(name)}`)
        ? []
        : [{ message: `${textOf(name)} is not used`, path: [name] }],
    );
  };
};

const schema: Maker = (options, deps) => {
  const given = options.get("schema");
  if (given === undefined) throw wrong("schema", "is needed.");
  const dialect = options.get("dialect") ?? "auto";
  if (typeof dialect !== "string") throw wrong("dialect", "must be a text.");
  const validate = deps.schema(given, dialect);
  return (value) => (value === undefined ? [{ message: "must exist" }] : validate(value));
};

/** The functions that a ruleset can name. */
export const functions: Readonly<Record<string, Maker>> = {
  alphabetical,
  casing,
  defined: () => (value) => when(value === undefined, "must be defined"),
  enumeration,
  falsy: () => (value) => when(isTruthy(value), "must be falsy"),
  length,
  or,
  pattern,
  schema,
  truthy: () => (value) => when(!isTruthy(value), "must be truthy"),
  typedEnum,
  undefined: () => (value) => when(value !== undefined, "must be undefined"),
  unreferencedReusableObject,
  xor,
};
