import type { Dictionary, Value } from "../data/value.ts";
import { countOf, maxValues, type Shape } from "./shape.ts";

export interface SchemaOptions {
  draft: "2020-12" | "7" | "openapi-3.0";
  /** The members of objects that are required: all, those that each sample has, or none. */
  required: "all" | "common" | "none";
  /** Most different strings of an enumeration; 0 makes none. */
  enums: number;
  formats: boolean;
  /** Whether members that no sample has are refused. */
  closed: boolean;
  title?: string | undefined;
}

const dialects = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "7": "http://json-schema.org/draft-07/schema#",
};

/** Writes the JSON Schema of a shape: every sample is valid. With `required: all` members that a sample lacks are an exception. */
export function toSchema(shape: Shape, options: SchemaOptions): Dictionary {
  const head: [string, Value][] = [];
  if (options.draft !== "openapi-3.0") head.push(["$schema", dialects[options.draft]]);
  if (options.title !== undefined) head.push(["title", options.title]);
  return new Map([...head, ...schemaOf(shape, options)]);
}

function schemaOf(shape: Shape, options: SchemaOptions): Dictionary {
  const values = enumOf(shape, options);
  const types = typesOf(shape);
  if (options.draft === "openapi-3.0") return toOpenapi(shape, types, values, options);
  const schema: Dictionary = new Map();
  if (types.length > 0) schema.set("type", types.length === 1 ? (types[0] as string) : types);
  for (const type of types) addKeywords(schema, shape, type, options);
  if (values !== undefined) schema.set("enum", shape.nulls > 0 ? [...values, null] : values);
  return schema;
}

/** OpenAPI 3.0 has one type a schema, and no null. */
function toOpenapi(
  shape: Shape,
  types: readonly string[],
  values: string[] | undefined,
  options: SchemaOptions,
): Dictionary {
  const others = types.filter((type) => type !== "null");
  const schemas = others.map((type) => {
    const schema: Dictionary = new Map([["type", type]]);
    addKeywords(schema, shape, type, options);
    if (type === "array" && !schema.has("items")) schema.set("items", new Map());
    if (values !== undefined) schema.set("enum", shape.nulls > 0 ? [...values, null] : values);
    return schema;
  });
  const isNullable = others.length < types.length;
  const [only] = schemas;
  if (only === undefined) return isNullable ? new Map([["nullable", true]]) : new Map();
  if (schemas.length === 1) return isNullable ? only.set("nullable", true) : only;
  // Null has no type of its own: each of the schemas accepts it.
  if (isNullable) for (const schema of schemas) schema.set("nullable", true);
  return new Map([["anyOf", schemas]]);
}

function typesOf(shape: Shape): string[] {
  const types: string[] = [];
  if (shape.objects > 0) types.push("object");
  if (shape.arrays > 0) types.push("array");
  if (shape.strings > 0) types.push("string");
  if (shape.decimals > 0) types.push("number");
  else if (shape.integers > 0) types.push("integer");
  if (shape.booleans > 0) types.push("boolean");
  if (shape.nulls > 0) types.push("null");
  return types;
}

function addKeywords(schema: Dictionary, shape: Shape, type: string, options: SchemaOptions): void {
  if (type === "object") addObject(schema, shape, options);
  if (type === "array" && shape.items !== undefined) schema.set("items", schemaOf(shape.items, options));
  if (type === "string" && options.formats && enumOf(shape, options) === undefined) {
    const [format] = shape.formats;
    if (format !== undefined) schema.set("format", format);
  }
  // Beyond 64 bits a program needs to know.
  if (type === "integer" && options.draft === "openapi-3.0") {
    const format = integerFormat(shape);
    if (format !== undefined) schema.set("format", format);
  }
}

function integerFormat({ smallest = "0", largest = "0" }: Shape): string | undefined {
  const [least, most] = [BigInt.asIntN(64, clamp(smallest)), BigInt.asIntN(64, clamp(largest))];
  if (String(least) !== String(clamp(smallest)) || String(most) !== String(clamp(largest))) return undefined;
  return least < -(2n ** 31n) || most >= 2n ** 31n ? "int64" : undefined;
}

/** A number of thousands of digits is compared as one that is just too large. */
const clamp = (text: string): bigint =>
  BigInt(text.length > 25 ? `${text.startsWith("-") ? "-" : ""}1${"0".repeat(25)}` : text);

function addObject(schema: Dictionary, shape: Shape, { required, ...options }: SchemaOptions): void {
  const members = [...shape.members];
  schema.set(
    "properties",
    new Map(members.map(([key, member]) => [key, schemaOf(member, { required, ...options })])),
  );
  const names = members
    .filter(([, member]) => required === "all" || countOf(member) === shape.objects)
    .map(([key]) => key);
  if (required !== "none" && names.length > 0) schema.set("required", names);
  if (options.closed) schema.set("additionalProperties", false);
}

/** Strings that repeat are an enumeration. */
function enumOf(shape: Shape, { enums }: SchemaOptions): string[] | undefined {
  const { values, strings } = shape;
  const isOnlyText = countOf(shape) === strings + shape.nulls;
  const isFew = values.size > 0 && values.size <= Math.min(enums, maxValues) && values.size < strings;
  return isOnlyText && isFew ? [...values] : undefined;
}
