/**
 * The values allowed at one place of a document, in a notation:
 * - `string`, `boolean`, `number`, `integer`, `any`, `schema` (JSON Schema, validated by its meta-schema)
 * - `=a|b` one of these strings, `Name` an object of that kind, `[X]` a list, `{X}` a map; a trailing `!`
 * makes it required
 */
export type Spec = string;

/** One kind of object. */
export interface Kind {
  fields: Record<string, Spec>;
  /** Fields whose names are not fixed. */
  patterns?: readonly { name: RegExp; spec: Spec }[];
  /** Whether `{"$ref": …}` is allowed instead. */
  ref?: boolean;
  /** Whether fields that begin with `x-` are refused; otherwise they are extensions. */
  closed?: boolean;
}

export type Grammar = Readonly<Record<string, Kind>>;

export type Version = "2.0" | "3.0" | "3.1" | "3.2";

/** Whether schemas are JSON Schema 2020-12, and not a dialect of OpenAPI's own. */
export const hasJsonSchemas = (version: Version): boolean => version === "3.1" || version === "3.2";

/** A parsed spec. */
export interface Shape {
  required: boolean;
  /** The spec of the items or members. */
  list?: Spec;
  map?: Spec;
  values?: readonly string[];
  /** A type, or the name of a kind. */
  name?: string;
}

const known = new Map<Spec, Shape>();

export function toShape(spec: Spec): Shape {
  let shape = known.get(spec);
  if (shape === undefined) {
    const required = spec.endsWith("!");
    const bare = required ? spec.slice(0, -1) : spec;
    if (bare.startsWith("[")) shape = { required, list: bare.slice(1, -1) };
    else if (bare.startsWith("{")) shape = { required, map: bare.slice(1, -1) };
    else if (bare.startsWith("=")) shape = { required, values: bare.slice(1).split("|") };
    else shape = { required, name: bare };
    known.set(spec, shape);
  }
  return shape;
}

/** Returns a kind of a grammar with fields added or replaced. */
export function extend(
  grammar: Grammar,
  name: string,
  fields: Record<string, Spec>,
  rest: Partial<Kind> = {},
): Kind {
  const kind = grammar[name] as Kind;
  return { ...kind, ...rest, fields: { ...kind.fields, ...fields } };
}

/** The limits that every draft of JSON Schema has. */
export const limits: Record<string, Spec> = {
  maximum: "number",
  exclusiveMaximum: "boolean",
  minimum: "number",
  exclusiveMinimum: "boolean",
  maxLength: "integer",
  minLength: "integer",
  pattern: "string",
  maxItems: "integer",
  minItems: "integer",
  uniqueItems: "boolean",
  enum: "[any]",
  multipleOf: "number",
};

export const types = "=array|boolean|integer|number|object|string";

/** Fields of a Schema Object in 2.0 and 3.0. */
export const schemaFields: Record<string, Spec> = {
  ...limits,
  title: "string",
  description: "string",
  type: types,
  format: "string",
  default: "any",
  example: "any",
  maxProperties: "integer",
  minProperties: "integer",
  required: "[string]",
  properties: "{Schema}",
  additionalProperties: "SchemaOrBoolean",
  items: "Schema",
  allOf: "[Schema]",
  readOnly: "boolean",
  externalDocs: "ExternalDocumentation",
  xml: "Xml",
};

/** Kinds that all versions have; the later ones add fields to some. */
export const commonKinds: Grammar = {
  Info: {
    fields: {
      title: "string!",
      version: "string!",
      description: "string",
      termsOfService: "string",
      contact: "Contact",
      license: "License",
    },
  },
  License: { fields: { name: "string!", url: "string" } },
  Paths: { fields: {}, patterns: [{ name: /^\//, spec: "PathItem" }] },
  Contact: { fields: { name: "string", url: "string", email: "string" } },
  ExternalDocumentation: { fields: { url: "string!", description: "string" } },
  Tag: { fields: { name: "string!", description: "string", externalDocs: "ExternalDocumentation" } },
  SecurityRequirement: { fields: {}, patterns: [{ name: /^/, spec: "[string]" }], closed: true },
  Xml: {
    fields: {
      name: "string",
      namespace: "string",
      prefix: "string",
      attribute: "boolean",
      wrapped: "boolean",
    },
  },
};
