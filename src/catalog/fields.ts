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

/** The JSON values that a field takes besides text. */
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
      const kind = jsonKindOf(field as FieldSchema);
      return kind === undefined ? [] : [[name, kind]];
    });
    known = new Map(kinds);
    jsonFields.set(input, known);
  }
  return known;
}

/** The members of zod's types that every schema of a field has; the others depend on `def.type`. */
interface FieldSchema {
  meta(): { json?: unknown; enum?: readonly string[] } | undefined;
  readonly description?: string | undefined;
  readonly def: {
    readonly type: string;
    readonly innerType?: FieldSchema;
    readonly element?: FieldSchema;
    readonly in?: FieldSchema;
    readonly entries?: Readonly<Record<string, string>>;
    readonly defaultValue?: unknown;
  };
  readonly maxLength?: number | null;
  readonly isInt?: boolean;
}

/** A wrapper (`default`, `optional`) does not have the mark of the schema in it. */
function jsonKindOf(field: FieldSchema): JsonKind | undefined {
  const mark = field.meta()?.json;
  if (mark === true) return "any";
  if (mark === "object") return mark;
  return field.def.innerType && jsonKindOf(field.def.innerType);
}

/**
 * Returns the fields of an input in the order of its schema. Read from the zod schema, as above: a command would wait for
 * its JSON Schema.
 */
export function fieldsOf(input: z.ZodObject): readonly Field[] {
  let known = fields.get(input);
  if (known === undefined) {
    const kinds = jsonFieldsOf(input);
    known = Object.entries(input.shape).map(([name, field]) => {
      const json = kinds.get(name);
      return { ...toField(name, field as FieldSchema), ...(json !== undefined && { json }) };
    });
    fields.set(input, known);
  }
  return known;
}

function toField(name: string, schema: FieldSchema): Field {
  let required = true;
  let description = schema.description;
  let fallback: unknown;
  let values: readonly string[] | undefined;
  let inner = schema;
  // A pipe is a text that is normalized before it is validated; its mark has its values.
  for (let next: FieldSchema | undefined = inner; next !== undefined;) {
    inner = next;
    description ??= inner.description;
    values ??= inner.meta()?.enum;
    if (inner.def.type === "default" || inner.def.type === "optional") required = false;
    if (inner.def.type === "default") fallback ??= inner.def.defaultValue;
    next = inner.def.innerType ?? inner.def.in;
  }
  const list = inner.def.type === "array";
  const value = (list ? inner.def.element : inner) ?? inner;
  if (value.def.type === "enum") values = Object.values(value.def.entries ?? {});
  const { maxLength } = value;
  return {
    name,
    type: typeOf(name, value),
    list,
    required,
    description: description ?? "",
    ...(values !== undefined && { values }),
    ...(typeof maxLength === "number" && { maxLength }),
    ...(fallback !== undefined && { default: fallback }),
  };
}

function typeOf(name: string, { def, isInt }: FieldSchema): Field["type"] {
  if (def.type === "enum") return "string";
  if (def.type === "number") return isInt === true ? "integer" : "number";
  if (def.type === "string" || def.type === "boolean") return def.type;
  throw new Error(`The field ${name} is not flat: ${def.type}`);
}

/** Returns the values of all options of a tool that are a choice. */
export const valuesOf = ({ input }: { input: z.ZodObject }): string[] =>
  fieldsOf(input).flatMap(({ values = [] }) => values);
