import type { z } from "zod";

/** One field of an input, as flat as a CLI flag, a query parameter or a form control. */
export interface Field {
  name: string;
  type: "string" | "integer" | "number" | "boolean";
  /** An array of `type`; it is given by repeating the name. */
  list: boolean;
  required: boolean;
  description: string;
  /** The values of an enumeration. */
  values?: readonly string[];
  default?: unknown;
}

const schemas = new WeakMap<z.ZodObject, Record<string, unknown>>();
const fields = new WeakMap<z.ZodObject, readonly Field[]>();

/** JSON Schema 2020-12 of what a caller may send: fields with a default are optional, unknown fields are refused. */
export function inputSchemaOf(input: z.ZodObject): Record<string, unknown> {
  let schema = schemas.get(input);
  if (schema === undefined) {
    schema = { ...input.toJSONSchema({ io: "input" }), additionalProperties: false };
    schemas.set(input, schema);
  }
  return schema;
}

/** The fields of an input in the order of its schema. */
export function fieldsOf(input: z.ZodObject): readonly Field[] {
  let known = fields.get(input);
  if (known === undefined) {
    const { properties, required: names } = inputSchemaOf(input) as Partial<ObjectSchema>;
    const required = new Set(names);
    known = Object.entries(properties ?? {}).map(([name, property]) =>
      toField(name, property, required.has(name)),
    );
    fields.set(input, known);
  }
  return known;
}

interface PropertySchema {
  type?: string;
  enum?: string[];
  items?: PropertySchema;
  description?: string;
  default?: unknown;
}

interface ObjectSchema {
  properties: Record<string, PropertySchema>;
  required?: string[];
}

function toField(name: string, property: PropertySchema, required: boolean): Field {
  const list = property.type === "array";
  const value = (list ? property.items : property) ?? {};
  const type = value.type ?? "string";
  if (type !== "string" && type !== "integer" && type !== "number" && type !== "boolean") {
    throw new Error(`The field ${name} is not flat: ${type}`);
  }
  return {
    name,
    type,
    list,
    required,
    description: property.description ?? "",
    ...(value.enum !== undefined && { values: value.enum }),
    ...(property.default !== undefined && { default: property.default }),
  };
}
