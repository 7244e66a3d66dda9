import { append } from "../append.ts";
import { type Dictionary, isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { compareNumbers } from "../number/decimal.ts";
import type { Run } from "../json-schema/evaluation.ts";
import type { Resource } from "../json-schema/registry.ts";
import type { Draw } from "./pattern.ts";

/** A schema, and the resource to which its references are relative. */
export interface Scoped {
  schema: Value;
  resource: Resource;
}

/** The rules that several schemas have for one value. If a rule can only be given once, the first schema decides. */
export interface Rules {
  /** A schema is false. */
  isImpossible: boolean;
  types: ReadonlySet<string> | undefined;
  /** The values of `const` and `enum`. */
  values: readonly Value[] | undefined;
  numbers: Map<string, string>;
  texts: Map<string, string>;
  patterns: string[];
  properties: Map<string, Scoped[]>;
  patternProperties: [string, Scoped][];
  additional: Scoped | undefined;
  names: Scoped | undefined;
  required: Set<string>;
  prefix: Scoped[];
  items: Scoped | undefined;
  contains: Scoped | undefined;
  isUnique: boolean;
}

/** Schemas that are read for one value; a reference that leads back to itself has no end. */
const maxSchemas = 500;

/** Collects the rules of schemas; of `anyOf`, `oneOf` and `if` one branch is drawn. */
export function collectRules(run: Run, schemas: readonly Scoped[], draw: Draw): Rules {
  const rules: Rules = {
    isImpossible: false,
    types: undefined,
    values: undefined,
    numbers: new Map(),
    texts: new Map(),
    patterns: [],
    properties: new Map(),
    patternProperties: [],
    additional: undefined,
    names: undefined,
    required: new Set(),
    prefix: [],
    items: undefined,
    contains: undefined,
    isUnique: false,
  };
  const waiting = schemas.toReversed();
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (++count > maxSchemas || next.schema === false) rules.isImpossible = true;
    if (rules.isImpossible) break;
    if (!isDictionary(next.schema)) continue;
    const resource = run.registry.resourceOf(next.schema) ?? next.resource;
    append(waiting, branchesOf(run, next.schema, resource, draw));
    if (next.schema.has("$ref") && resource.dialect.refAlone) continue;
    addRules(rules, next.schema, resource);
  }
  return rules;
}

function branchesOf(run: Run, schema: Dictionary, resource: Resource, draw: Draw): Scoped[] {
  const found: Scoped[] = [];
  for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
    const reference = schema.get(keyword);
    if (typeof reference !== "string" || !resource.dialect.keywords.has(keyword)) continue;
    const target = run.registry.resolve(resource, reference);
    found.push({ schema: target.schema, resource: target.resource });
  }
  const all = schema.get("allOf");
  if (all !== undefined && isList(all)) for (const one of all) found.push({ schema: one, resource });
  for (const keyword of ["anyOf", "oneOf"]) {
    const choices = schema.get(keyword);
    if (choices !== undefined && isList(choices) && choices.length > 0)
      found.push({ schema: choices[draw(choices.length)] as Value, resource });
  }
  const test = schema.get("if");
  if (test !== undefined) {
    const isThen = draw(2) === 0;
    const branch = schema.get(isThen ? "then" : "else");
    if (isThen) found.push({ schema: test, resource });
    if (branch !== undefined) found.push({ schema: branch, resource });
  }
  return found;
}

const upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];
const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];

function addRules(rules: Rules, schema: Dictionary, resource: Resource): void {
  const textsOf = (keyword: string): string[] => {
    const value = schema.get(keyword);
    if (typeof value === "string") return [value];
    return value !== undefined && isList(value) ? value.filter((one) => typeof one === "string") : [];
  };
  const types = textsOf("type");
  if (types.length > 0) {
    // An integer is a number.
    const known = rules.types;
    const fits = (type: string): boolean =>
      known?.has(type) !== false || (type === "integer" && known.has("number"));
    const kept = types.flatMap((type) =>
      type === "number" && known?.has("integer") ? ["integer"] : fits(type) ? [type] : [],
    );
    if (kept.length === 0) rules.isImpossible = true;
    rules.types = new Set(kept);
  }
  const values = schema.has("const") ? [schema.get("const") as Value] : schema.get("enum");
  if (values !== undefined && isList(values)) rules.values ??= values;
  for (const [keywords, sign] of [
    [upper, -1],
    [lower, 1],
  ] as const)
    for (const keyword of keywords) {
      const value = schema.get(keyword);
      if (value === undefined || !isNumber(value)) continue;
      const known = rules.numbers.get(keyword);
      if (known === undefined || compareNumbers(value.text, known) * sign > 0)
        rules.numbers.set(keyword, value.text);
    }
  // Until draft 4 these are booleans beside the limit.
  for (const [flag, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const value = schema.get(limit);
    if (schema.get(flag) === true && value !== undefined && isNumber(value))
      rules.numbers.set(flag, value.text);
  }
  const multiple = schema.get("multipleOf");
  if (multiple !== undefined && isNumber(multiple) && !rules.numbers.has("multipleOf"))
    rules.numbers.set("multipleOf", multiple.text);
  const [format] = textsOf("format");
  if (format !== undefined && !rules.texts.has("format")) rules.texts.set("format", format);
  append(rules.patterns, textsOf("pattern"));
  for (const name of textsOf("required")) rules.required.add(name);
  addMembers(rules, schema, resource);
  const scoped = (keyword: string): Scoped | undefined => {
    const value = schema.get(keyword);
    return value === undefined ? undefined : { schema: value, resource };
  };
  const items = schema.get("items");
  const prefix = items !== undefined && isList(items) ? items : schema.get("prefixItems");
  if (prefix !== undefined && isList(prefix) && rules.prefix.length === 0)
    rules.prefix = prefix.map((one) => ({ schema: one, resource }));
  rules.items ??= items !== undefined && isList(items) ? scoped("additionalItems") : scoped("items");
  rules.contains ??= scoped("contains");
  if (schema.get("uniqueItems") === true) rules.isUnique = true;
}

function addMembers(rules: Rules, schema: Dictionary, resource: Resource): void {
  const dictionaryOf = (keyword: string): Dictionary => {
    const value = schema.get(keyword) ?? null;
    return isDictionary(value) ? value : new Map();
  };
  for (const [name, member] of dictionaryOf("properties"))
    rules.properties.set(name, [...(rules.properties.get(name) ?? []), { schema: member, resource }]);
  for (const [pattern, member] of dictionaryOf("patternProperties"))
    rules.patternProperties.push([pattern, { schema: member, resource }]);
  for (const keyword of ["dependentRequired", "dependencies"])
    for (const [name, names] of dictionaryOf(keyword))
      if (isList(names) && rules.required.has(name))
        for (const one of names) if (typeof one === "string") rules.required.add(one);
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    const value = schema.get(keyword);
    if (value !== undefined) rules.additional ??= { schema: value, resource };
  }
  const names = schema.get("propertyNames");
  if (names !== undefined) rules.names ??= { schema: names, resource };
}

const isNumber = (value: Value): value is { kind: "number"; text: string } =>
  isLiteral(value) && value.kind === "number";
