import { fromJson } from "../data/from-json.ts";
import type { Value } from "../data/value.ts";
import { draft2019MetaSchemas, draft2020MetaSchemas } from "./meta-vocabularies.ts";

type Schema = Record<string, unknown>;

const self = { $ref: "#" };
const text = { type: "string" };
const flag = { type: "boolean" };
const number = { type: "number" };
const types = ["array", "boolean", "integer", "null", "number", "object", "string"];
const define = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

/** Definitions that drafts 4, 6 and 7 share; `whole` and `natural` are their names for a length. */
function definitionsOf(whole: string, natural: string, least: number): Schema {
  return {
    schemaArray: { type: "array", minItems: 1, items: self },
    [whole]: { type: "integer", minimum: 0 },
    [natural]: { allOf: [define(whole), { default: 0 }] },
    simpleTypes: { enum: types },
    stringArray: {
      type: "array",
      items: text,
      uniqueItems: true,
      ...(least > 0 ? { minItems: least } : { default: [] }),
    },
  };
}

function propertiesOf(whole: string, natural: string): Schema {
  const schemas = { type: "object", additionalProperties: self, default: {} };
  const lengths = Object.fromEntries(
    ["Length", "Items", "Properties"].flatMap((what) => [
      [`max${what}`, define(whole)],
      [`min${what}`, define(natural)],
    ]),
  );
  return {
    $schema: { ...text, format: "uri" },
    title: text,
    description: text,
    default: {},
    maximum: number,
    minimum: number,
    ...lengths,
    pattern: { ...text, format: "regex" },
    items: { anyOf: [self, define("schemaArray")], default: {} },
    uniqueItems: { ...flag, default: false },
    required: define("stringArray"),
    definitions: schemas,
    properties: schemas,
    patternProperties: schemas,
    dependencies: { type: "object", additionalProperties: { anyOf: [self, define("stringArray")] } },
    type: {
      anyOf: [
        define("simpleTypes"),
        { type: "array", items: define("simpleTypes"), minItems: 1, uniqueItems: true },
      ],
    },
    format: text,
    allOf: define("schemaArray"),
    anyOf: define("schemaArray"),
    oneOf: define("schemaArray"),
    not: self,
  };
}

function draft4(): Schema {
  const uri = "http://json-schema.org/draft-04/schema#";
  const schemaOrFlag = { anyOf: [flag, self], default: {} };
  return {
    id: uri,
    $schema: uri,
    definitions: definitionsOf("positiveInteger", "positiveIntegerDefault0", 1),
    type: "object",
    properties: {
      id: text,
      ...propertiesOf("positiveInteger", "positiveIntegerDefault0"),
      $schema: text,
      multipleOf: { ...number, minimum: 0, exclusiveMinimum: true },
      exclusiveMaximum: flag,
      exclusiveMinimum: flag,
      additionalItems: schemaOrFlag,
      additionalProperties: schemaOrFlag,
      enum: { type: "array", minItems: 1, uniqueItems: true },
    },
    dependencies: { exclusiveMaximum: ["maximum"], exclusiveMinimum: ["minimum"] },
    default: {},
  };
}

function draft6(draft: "06" | "07"): Schema {
  const uri = `http://json-schema.org/draft-${draft}/schema#`;
  const later = {
    $comment: text,
    readOnly: { ...flag, default: false },
    contentMediaType: text,
    contentEncoding: text,
    if: self,
    // oxlint-disable-next-line unicorn/no-thenable
    then: self,
    else: self,
  };
  const properties = propertiesOf("nonNegativeInteger", "nonNegativeIntegerDefault0");
  return {
    $schema: uri,
    $id: uri,
    definitions: definitionsOf("nonNegativeInteger", "nonNegativeIntegerDefault0", 0),
    type: ["object", "boolean"],
    properties: {
      $id: { ...text, format: "uri-reference" },
      $ref: { ...text, format: "uri-reference" },
      ...properties,
      ...(draft === "07" && later),
      examples: { type: "array", items: {} },
      multipleOf: { ...number, exclusiveMinimum: 0 },
      exclusiveMaximum: number,
      exclusiveMinimum: number,
      additionalItems: self,
      contains: self,
      additionalProperties: self,
      patternProperties: {
        type: "object",
        additionalProperties: self,
        ...(draft === "07" && { propertyNames: { format: "regex" } }),
        default: {},
      },
      propertyNames: self,
      const: {},
      enum: { type: "array" },
    },
    default: {},
  };
}

let known: Map<string, Value> | undefined;

/** Returns the meta-schema with that URI, without fragment, if it belongs to a known draft. */
export function metaSchema(uri: string): Value | undefined {
  if (known === undefined) {
    const all = [draft4(), draft6("06"), draft6("07"), ...draft2019MetaSchemas(), ...draft2020MetaSchemas()];
    known = new Map(
      all.map((schema) => [
        String(schema["$id"] ?? schema["id"]).replace(/#$/, ""),
        fromJson(JSON.stringify(schema)),
      ]),
    );
  }
  return known.get(uri);
}
