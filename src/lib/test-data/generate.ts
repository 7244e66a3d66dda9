import { DocumentFault } from "../fault.ts";
import { type Dictionary, toNumber, type Value } from "../data/value.ts";
import type { Run } from "../json-schema/evaluation.ts";
import { drawNumber } from "./numbers.ts";
import { drawMatch, type Draw } from "./pattern.ts";
import { collectRules, type Rules, type Scoped } from "./rules.ts";
import { drawString } from "./texts.ts";

export interface GenerateOptions {
  /** The members that are written although the schema does not require them. */
  optional: "all" | "none" | "random";
  /** Epoch milliseconds; times are of the year before. */
  now: number;
}

/** Levels below which only what is required is written, so that schemas that refer to themselves come to an end. */
const maxFree = 6;
const maxDepth = 100;
/** Values of one document. */
const maxValues = 100_000;

/** Draws a document that has a good chance of being valid; undefined if none was found. */
export function drawDocument(run: Run, options: GenerateOptions, draw: Draw): Value | undefined {
  let count = 0;
  const root = run.registry.root;
  return make([{ schema: root.root, resource: root }], "", 0);

  function make(schemas: readonly Scoped[], key: string, depth: number): Value | undefined {
    if (++count > maxValues)
      throw new DocumentFault(`The schema demands more than ${maxValues} values.`, {}, "too-many", maxValues);
    if (depth > maxDepth) return undefined;
    const rules = collectRules(run, schemas, draw);
    if (rules.isImpossible) return undefined;
    if (rules.values !== undefined) return rules.values[draw(rules.values.length)];
    const type = chooseType(rules, depth, draw);
    if (type === "null") return null;
    if (type === "boolean") return draw(2) === 0;
    if (type === "object") return makeObject(rules, depth);
    if (type === "array") return makeArray(rules, key, depth);
    if (type === "string") return makeString(rules, key);
    return makeNumber(rules, type === "integer");
  }

  function makeString(rules: Rules, key: string): string {
    const [minLength, maxLength] = [limit(rules, "minLength", 0), limit(rules, "maxLength", Infinity)];
    return drawString(
      { minLength, maxLength, patterns: rules.patterns, format: rules.texts.get("format") },
      key,
      draw,
      options.now,
    );
  }

  function makeNumber({ numbers }: Rules, isInteger: boolean): Value | undefined {
    const [above, below] = [numbers.get("exclusiveMinimum"), numbers.get("exclusiveMaximum")];
    const text = drawNumber(
      {
        isInteger,
        least: above ?? numbers.get("minimum"),
        most: below ?? numbers.get("maximum"),
        isAboveLeast: above !== undefined,
        isBelowMost: below !== undefined,
        multipleOf: numbers.get("multipleOf"),
      },
      draw,
    );
    return text === undefined ? undefined : toNumber(text);
  }

  function makeObject(rules: Rules, depth: number): Dictionary | undefined {
    const least = limit(rules, "minProperties", 0);
    const most = Math.max(limit(rules, "maxProperties", Infinity), rules.required.size);
    const object: Dictionary = new Map();
    const wanted = [...rules.properties.keys()].filter((name) => rules.required.has(name) || isWanted(depth));
    for (const name of new Set([...wanted, ...rules.required])) {
      const isRequired = rules.required.has(name);
      if (!isRequired && object.size >= most - [...rules.required].filter((one) => !object.has(one)).length)
        continue;
      const value = make(schemasOf(rules, name), name, depth + 1);
      if (value !== undefined) object.set(name, value);
      else if (isRequired) return undefined;
    }
    const others = [...rules.properties.keys()].filter((name) => !object.has(name));
    for (let attempt = 0; object.size < least && attempt < least * 4 + 10; attempt++) {
      const name = others.pop() ?? drawName(rules);
      const value = object.has(name) ? undefined : make(schemasOf(rules, name), name, depth + 1);
      if (value !== undefined) object.set(name, value);
    }
    return object;
  }

  function isWanted(depth: number): boolean {
    if (options.optional === "none" || depth > maxFree) return false;
    return options.optional === "all" || draw(2) === 0;
  }

  function schemasOf(rules: Rules, name: string): Scoped[] {
    const found = [...(rules.properties.get(name) ?? [])];
    for (const [pattern, schema] of rules.patternProperties)
      if (run.matches(pattern, name)) found.push(schema);
    if (found.length === 0 && rules.additional !== undefined) found.push(rules.additional);
    return found;
  }

  function drawName(rules: Rules): string {
    const [pattern] = rules.patternProperties[draw(Math.max(rules.patternProperties.length, 1))] ?? [];
    const drawn = pattern === undefined ? undefined : drawMatch(pattern, draw);
    if (drawn !== undefined) return drawn;
    const name =
      rules.names === undefined
        ? undefined
        : make([rules.names, { ...rules.names, schema: new Map([["type", "string"]]) }], "", maxFree);
    return typeof name === "string" ? name : `member${draw(100_000)}`;
  }

  function makeArray(rules: Rules, key: string, depth: number): Value[] | undefined {
    const least = Math.max(
      limit(rules, "minItems", 0),
      rules.contains === undefined ? 0 : limit(rules, "minContains", 1),
    );
    const most = limit(rules, "maxItems", Infinity);
    const more = depth > maxFree || options.optional === "none" ? 0 : rules.prefix.length + 1 + draw(3);
    const length = Math.min(Math.max(least, more), most);
    const contained = rules.contains === undefined ? 0 : limit(rules, "minContains", 1);
    const items: Value[] = [];
    const known = new Set<string>();
    for (let attempt = 0; items.length < length && attempt < length * 4 + 10; attempt++) {
      const at = items.length;
      const own = rules.prefix[at] ?? rules.items;
      const schemas = own === undefined ? [] : [own];
      if (rules.contains !== undefined && at >= length - contained) schemas.push(rules.contains);
      const value = make(schemas, key.replace(/s$/, ""), depth + 1);
      if (value === undefined) {
        if (at >= least) break;
        continue;
      }
      if (rules.isUnique) {
        const text = JSON.stringify(value, (_, one: unknown) => (one instanceof Map ? Array.from(one) : one));
        if (known.has(text)) continue;
        known.add(text);
      }
      items.push(value);
    }
    return items.length < least ? undefined : items;
  }
}

function chooseType(rules: Rules, depth: number, draw: Draw): string {
  const types = [...(rules.types ?? [])];
  if (types.length > 0) {
    // Below some depth only values without members are drawn, so that the document ends.
    const flat = types.filter((one) => one !== "object" && one !== "array");
    const list = depth > maxFree && flat.length > 0 ? flat : types;
    return list[draw(list.length)] as string;
  }
  if (
    rules.properties.size > 0 ||
    rules.required.size > 0 ||
    rules.numbers.has("minProperties") ||
    rules.patternProperties.length > 0
  )
    return "object";
  if (
    rules.items !== undefined ||
    rules.prefix.length > 0 ||
    rules.contains !== undefined ||
    rules.numbers.has("minItems")
  )
    return "array";
  if (
    rules.patterns.length > 0 ||
    rules.texts.size > 0 ||
    rules.numbers.has("minLength") ||
    rules.numbers.has("maxLength")
  )
    return "string";
  if (
    rules.numbers.has("minimum") ||
    rules.numbers.has("maximum") ||
    rules.numbers.has("multipleOf") ||
    rules.numbers.has("exclusiveMinimum") ||
    rules.numbers.has("exclusiveMaximum")
  )
    return "number";
  return ["string", "integer", "boolean", "null"][draw(4)] as string;
}

function limit(rules: Rules, keyword: string, fallback: number): number {
  const text = rules.numbers.get(keyword);
  return text === undefined ? fallback : Math.min(Math.max(Math.ceil(Number(text)), 0), maxValues);
}
