import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";

type Check = (value: Value) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => isLiteral(value) && value.kind === "number";
const isCount: Check = (value) => isLiteral(value) && value.kind === "number" && Number(value.text) >= 0;
const isSchema: Check = (value) => typeof value === "boolean" || isDictionary(value);
const isTexts: Check = (value) => isList(value) && value.every(isText);
const isMapOf =
  (check: Check): Check =>
  (value) =>
    isDictionary(value) && [...value.values()].every(check);
const isListOf =
  (check: Check): Check =>
  (value) =>
    isList(value) && value.every(check);

const named = (check: Check, names: string): [string, Check][] =>
  names.split(" ").map((name) => [name, check]);

const checks = new Map<string, Check>([
  ...named(isText, "$ref $dynamicRef $recursiveRef pattern format"),
  ...named(isNumber, "multipleOf maximum minimum exclusiveMaximum exclusiveMinimum"),
  ...named(isCount, "maxLength minLength maxItems minItems maxProperties minProperties"),
  ...named(isSchema, "additionalItems additionalProperties contains if not propertyNames"),
  ...named(isSchema, "unevaluatedItems unevaluatedProperties"),
  ...named(isListOf(isSchema), "allOf anyOf oneOf prefixItems"),
  ...named(isMapOf(isSchema), "properties patternProperties dependentSchemas"),
  ["items", (value) => isSchema(value) || isListOf(isSchema)(value)],
  ["dependentRequired", isMapOf(isTexts)],
  ["dependencies", isMapOf((value) => isSchema(value) || isTexts(value))],
  ["required", isTexts],
  ["enum", isList],
  ["type", (value) => isText(value) || isTexts(value)],
]);

/**
 * Reports whether a keyword can have this value. The meta-schema covers the schema itself, but neither the
 * caller's other schemas nor the targets of references in places where no schema is expected.
 */
export const isKeywordValue = (keyword: string, value: Value): boolean =>
  checks.get(keyword)?.(value) ?? true;
