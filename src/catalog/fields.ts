import type { z } from "zod";

/** One field of an input, as flat as a CLI flag, a query parameter or a form control. */
export interface Field {
  name: string;
  type: "string" | "integer" | "number" | "boolean";
  /** Whether the field is an array of `type`, given by repeating the name. */
  list: boolean;
  required: boolean;
  description: string;
  /** The values of an enum. */
  values?: readonly string[];
  /** Most UTF-16 code units of a text. */
  maxLength?: number;
  /**
   * Set if the text may be JSON and a JSON body may have the value itself in its place: any value, or objects only if the
   * text of another value could be mistaken (a key of null for the secret "null").
   */
  json?: JsonKind;
  default?: unknown;
}

/** Which JSON values a field takes besides text. */
export type JsonKind = "any" | "object";

const schemas = new WeakMap<z.ZodObject, Record<string, unknown>>();
const fields = new WeakMap<z.ZodObject, readonly Field[]>();
const jsonFields = new WeakMap<z.ZodObject, ReadonlyMap<string, JsonKind>>();

/**
 * Returns the JSON Schema 2020-12 of the flat fields: fields with a default are optional, unknown fields are refused.
 */
export function inputSchemaOf(input: z.ZodObject): Record<string, unknown> {
  let schema = schemas.get(input);
  if (schema === undefined) {
    // Our own mark, not a keyword of JSON Schema.
    const flat = input.toJSONSchema({
      io: "input",
      override: ({ jsonSchema }) => void delete jsonSchema.json,
    });
    schema = { ...flat, additionalProperties: false };
    schemas.set(input, schema);
  }
  return schema;
}

/**
 * Returns the fields whose text may be JSON (`.meta({ json: true })`, or `"object"`). Read from the zod schema: building
 * the JSON Schema would delay the first call of a tool.
 */
export function jsonFieldsOf(input: z.ZodObject): ReadonlyMap<string, JsonKind> {
  let known = jsonFields.get(input);
  if (known === undefined) {
    const kinds = Object.entries(input.shape).flatMap(([name, field]): [string, JsonKind][] => {
      const kind = jsonKindOf(field as MarkedSchema);
      return kind === undefined ? [] : [[name, kind]];
    });
    known = new Map(kinds);
    jsonFields.set(input, known);
  }
  return known;
}

/** A schema, or a wrapper (`default`, `optional`) that does not have the mark of the schema in it. */
interface MarkedSchema {
  meta(): { json?: unknown } | undefined;
  readonly def: { readonly innerType?: MarkedSchema };
}

function jsonKindOf(field: MarkedSchema): JsonKind | undefined {
  const mark = field.meta()?.json;
  if (mark === true) return "any";
  if (mark === "object") return mark;
  return field.def.innerType && jsonKindOf(field.def.innerType);
}

/** Returns the fields of an input in the order of its schema. */
export function fieldsOf(input: z.ZodObject): readonly Field[] {
  let known = fields.get(input);
  if (known === undefined) {
    const { properties, required: names } = inputSchemaOf(input) as Partial<ObjectSchema>;
    const required = new Set(names);
    const kinds = jsonFieldsOf(input);
    known = Object.entries(properties ?? {}).map(([name, property]) => {
      const json = kinds.get(name);
      return { ...toField(name, property, required.has(name)), ...(json !== undefined && { json }) };
    });
    fields.set(input, known);
  }
  return known;
}

interface PropertySchema {
  type?: string;
  enum?: string[];
  maxLength?: number;
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
    ...(value.maxLength !== undefined && { maxLength: value.maxLength }),
    ...(property.default !== undefined && { default: property.default }),
  };
}

/** Returns the values of all options of a tool that are a choice. */
export const valuesOf = ({ input }: { input: z.ZodObject }): string[] =>
  fieldsOf(input).flatMap(({ values = [] }) => values);
