import type { z } from "zod";
import { inputSchemaOf, type JsonKind, jsonFieldsOf } from "./fields.ts";

const schemas = new WeakMap<z.ZodObject, Record<string, unknown>>();

/** Returns the JSON Schema 2020-12 of a JSON body. Fields whose text may be JSON also take the JSON value itself. */
export function bodySchemaOf(input: z.ZodObject): Record<string, unknown> {
  let schema = schemas.get(input);
  if (schema === undefined) {
    const flat = inputSchemaOf(input) as { properties?: Record<string, Record<string, unknown>> };
    const properties = { ...flat.properties };
    for (const [name, kind] of jsonFieldsOf(input))
      properties[name] = withValues(properties[name] ?? {}, kind);
    schema = { ...flat, properties };
    schemas.set(input, schema);
  }
  return schema;
}

function withValues(
  { description, default: byDefault, ...text }: Record<string, unknown>,
  kind: JsonKind,
): Record<string, unknown> {
  return {
    ...(typeof description === "string" && { description: `${description}; ${inWords[kind]}` }),
    anyOf: [text, ...values[kind]],
    ...(byDefault !== undefined && { default: byDefault }),
  };
}

/** A value that is a JSON string cannot be distinguished from text. */
const inWords: Record<JsonKind, string> = {
  any: "as text or, unless that is a string, as the JSON value itself",
  object: "as text or, where it is a JSON object, as the object itself",
};

/** Client generators read an object schema without `additionalProperties` as an object without members. */
const objects = { type: "object", additionalProperties: true };

const values: Record<JsonKind, Record<string, unknown>[]> = {
  any: [objects, { type: "array", items: {} }, { type: ["number", "boolean", "null"] }],
  object: [objects],
};
