import type { z } from "zod";
import { inputSchemaOf, type JsonKind, jsonFieldsOf } from "./fields.ts";

const schemas = new WeakMap<z.ZodObject, Record<string, unknown>>();

/** JSON Schema 2020-12 of a JSON body: that of the fields, but that those whose text may be JSON take its value as well. */
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

/** A JSON string as a value cannot be told from text. */
const inWords: Record<JsonKind, string> = {
  any: "as text or, unless that is a string, as the JSON value itself",
  object: "as text or, where it is a JSON object, as the object itself",
};

/** Generators of clients take an object without `additionalProperties` for one that has no members. */
const objects = { type: "object", additionalProperties: true };

const values: Record<JsonKind, Record<string, unknown>[]> = {
  any: [objects, { type: "array", items: {} }, { type: ["number", "boolean", "null"] }],
  object: [objects],
};
