import type { Dictionary, Value } from "../data/value.ts";
import type { Shape } from "./shape.ts";

/** The types of JSON Schema. */
type Type = "string" | "boolean" | "integer" | "number" | "null" | "array" | "object";

/** Returns the types of the values of a shape; undefined for any. */
export function typesOf(shape: Shape): readonly Type[] | undefined {
  switch (shape.kind) {
    case "any":
      return undefined;
    case "text":
    case "matching":
      return ["string"];
    case "flag":
      return ["boolean"];
    case "whole":
      return ["integer"];
    case "number":
      return ["number"];
    case "nothing":
      return ["null"];
    case "choice":
      return [...new Set(shape.values.map((value) => typeof value as Type))];
    case "list":
      return ["array"];
    case "map":
    case "object":
      return ["object"];
    case "later":
      return typesOf(shape.get());
    case "either": {
      const all = shape.shapes.map(typesOf);
      return all.includes(undefined) ? undefined : [...new Set(all.flatMap((types) => types ?? []))];
    }
  }
}

/**
 * Converts a shape to a JSON Schema that validates types, required fields and patterns. Other fields, and the values of choices, are
 * left to `inspect.ts`, which knows what was probably meant.
 */
export function toSchema(root: Shape): Value {
  const definitions: Dictionary = new Map();
  const convert = (shape: Shape): Value => {
    const schema: Dictionary = new Map();
    const types = typesOf(shape);
    if (types !== undefined) schema.set("type", types.length === 1 ? (types[0] as string) : [...types]);
    switch (shape.kind) {
      case "matching":
        schema.set("pattern", shape.pattern);
        break;
      case "list":
        schema.set("items", convert(shape.of));
        break;
      case "map":
        schema.set("additionalProperties", convert(shape.of));
        break;
      case "object":
        if (shape.required.length > 0) schema.set("required", [...shape.required]);
        schema.set(
          "properties",
          new Map(Array.from(shape.fields, ([name, field]) => [name, convert(field)])),
        );
        break;
      case "either":
        // Each alternative applies to its types alone, so that a violation says what is wrong inside and not that nothing fits.
        schema.set(
          "allOf",
          [...byTypes(shape.shapes)].map(([type, of]) => toCondition(type, of.map(convert))),
        );
        break;
      case "later":
        if (!definitions.has(shape.name)) {
          definitions.set(shape.name, true);
          definitions.set(shape.name, convert(shape.get()));
        }
        return new Map([["$ref", `#/$defs/${shape.name}`]]);
      default:
    }
    return schema;
  };
  const schema = convert(root) as Dictionary;
  schema.set("$schema", "https://json-schema.org/draft/2020-12/schema");
  schema.set("$defs", definitions);
  return schema;
}

/** The alternatives by their type. */
function byTypes(shapes: readonly Shape[]): Map<Type, Shape[]> {
  const found = new Map<Type, Shape[]>();
  for (const shape of shapes)
    for (const type of typesOf(shape) ?? []) found.set(type, [...(found.get(type) ?? []), shape]);
  return found;
}

const toCondition = (type: Type, schemas: readonly Value[]): Value =>
  new Map<string, Value>([
    ["if", new Map([["type", type]])],
    ["then", schemas.length === 1 ? (schemas[0] as Value) : new Map([["anyOf", [...schemas]]])],
  ]);
