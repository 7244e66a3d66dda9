import { isDictionary, isList, isLiteral, type Value } from "../data/value.ts";
import { hasJsonSchemas } from "../openapi/grammar.ts";
import { compareNumbers } from "../number/decimal.ts";
import type { Bound, Flat, Found } from "./flat.ts";
import { childOf, itemsOf, membersOf, type Place, type Side, targetOf } from "./places.ts";

export const counted = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const written = [
  "not",
  "if",
  "then",
  "else",
  "contains",
  "minContains",
  "maxContains",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "propertyNames",
  "unevaluatedItems",
];
const flagNames = ["readOnly", "writeOnly", "deprecated"];

type Queued = Place & { orNull: boolean };

/**
 * Adds up the schemas that a value has to match together. Iterative: chains of references may be longer than the stack.
 * @param count Called for each part; throws if there are too many.
 */
export function flatten(
  side: Side,
  schemas: readonly Place[],
  pointer: string,
  { numberOf, count }: { numberOf(value: Value): number; count(): void },
): Flat {
  const flat: Flat = {
    pointer,
    parts: [],
    never: false,
    types: undefined,
    typePointer: pointer,
    null: true,
    format: undefined,
    enum: undefined,
    extensible: undefined,
    minimum: undefined,
    maximum: undefined,
    counts: new Map(),
    multipleOf: undefined,
    uniqueItems: undefined,
    patterns: new Map(),
    properties: new Map(),
    required: new Map(),
    additional: [],
    patternProperties: new Map(),
    items: [],
    prefix: [],
    groups: [],
    discriminator: undefined,
    conditions: new Map(),
    default: undefined,
    flags: new Set(),
  };
  const seen = new Set<string>();
  const queue: Queued[] = schemas.map((place) => ({ ...place, orNull: false }));
  for (let at = 0; at < queue.length; at++) {
    const part = queue[at] as Queued;
    if (seen.has(part.pointer)) continue;
    seen.add(part.pointer);
    count();
    if (part.value === false) flat.never = true;
    if (!isDictionary(part.value)) continue;
    const reference = part.value.get("$ref");
    if (typeof reference === "string") {
      const target = targetOf(side, reference);
      if (target !== undefined) queue.push({ ...target, orNull: part.orNull });
      else addTo(flat.conditions, "$ref", childOf(part, "$ref") as Place);
      // Until 3.0 what stands beside a reference has no effect.
      if (!hasJsonSchemas(side.version)) continue;
    }
    flat.parts.push(part);
    for (const item of itemsOf(childOf(part, "allOf"))) queue.push({ ...item, orNull: part.orNull });
    addPart(flat, part, side, numberOf);
    addAlternatives(flat, part, queue);
  }
  return flat;
}

function addPart(flat: Flat, part: Queued, side: Side, numberOf: (value: Value) => number): void {
  addTypes(flat, part, side);
  addScalars(flat, part, numberOf);
  for (const [name, schema] of membersOf(childOf(part, "properties"))) addTo(flat.properties, name, schema);
  for (const [name, schema] of membersOf(childOf(part, "patternProperties")))
    addTo(flat.patternProperties, name, schema);
  for (const { value, pointer } of itemsOf(childOf(part, "required")))
    if (typeof value === "string" && !flat.required.has(value)) flat.required.set(value, pointer);
  for (const name of ["additionalProperties", "unevaluatedProperties"]) {
    const additional = childOf(part, name);
    if (additional !== undefined) flat.additional.push(additional);
  }
  const items = childOf(part, "items");
  const listed = itemsOf(childOf(part, "prefixItems"));
  for (const [index, item] of (listed.length > 0 ? listed : itemsOf(items)).entries())
    (flat.prefix[index] ??= []).push(item);
  if (items !== undefined && !isList(items.value)) flat.items.push(items);
  for (const name of written) {
    const found = childOf(part, name);
    if (found !== undefined) addTo(flat.conditions, name, found);
  }
  flat.discriminator ??= childOf(part, "discriminator");
  flat.default ??= childOf(part, "default");
  flat.flags = new Set([...flat.flags, ...flagNames.filter((name) => childOf(part, name)?.value === true)]);
}

function addTypes(flat: Flat, part: Queued, { version }: Side): void {
  const stated = childOf(part, "type");
  const list = stated === undefined ? [] : isList(stated.value) ? stated.value : [stated.value];
  let types = list.filter((one) => typeof one === "string");
  const nullable =
    part.orNull ||
    types.includes("null") ||
    (!hasJsonSchemas(version) &&
      ["nullable", "x-nullable"].some((name) => childOf(part, name)?.value === true));
  types = types.filter((one) => one !== "null");
  const isStated = types.length > 0 || list.length > 0;
  // A schema with properties but without a type is meant for objects.
  if (!isStated)
    types =
      childOf(part, "properties") !== undefined
        ? ["object"]
        : childOf(part, "items") !== undefined
          ? ["array"]
          : [];
  if (!isStated && types.length === 0) return;
  if (!nullable) flat.null = false;
  const both = flat.types === undefined ? types : intersect([...flat.types], types);
  if (flat.types === undefined || both.length < flat.types.size) flat.typePointer = (stated ?? part).pointer;
  flat.types = new Set(both);
}

const intersect = (a: readonly string[], b: readonly string[]): string[] => [
  ...a.filter((type) => b.includes(type) || (type === "integer" && b.includes("number"))),
  ...b.filter((type) => type === "integer" && a.includes("number") && !a.includes("integer")),
];

function addScalars(flat: Flat, part: Place, numberOf: (value: Value) => number): void {
  const format = childOf(part, "format");
  if (typeof format?.value === "string") flat.format ??= { value: format.value, pointer: format.pointer };
  const constant = childOf(part, "const");
  const values = childOf(part, "enum") ?? (constant && { ...constant, value: [constant.value] });
  if (values !== undefined && isList(values.value)) {
    if (!values.value.includes(null)) flat.null &&= flat.types === undefined ? false : flat.null;
    flat.enum = toEnum(values, numberOf, flat.enum?.value);
  }
  const extensible = childOf(part, "x-extensible-enum");
  if (extensible !== undefined && isList(extensible.value))
    flat.extensible = toEnum(extensible, numberOf, flat.extensible?.value);
  for (const name of ["minimum", "maximum"] as const) addBound(flat, part, name);
  for (const name of counted) {
    const found = childOf(part, name);
    const count = numberIn(found);
    const before = flat.counts.get(name);
    const isStricter =
      before === undefined ||
      count === undefined ||
      (name.startsWith("min") ? count > before.count : count < before.count);
    if (found !== undefined && count !== undefined && isStricter)
      flat.counts.set(name, { count, pointer: found.pointer });
  }
  const unit = childOf(part, "multipleOf");
  if (unit !== undefined && isLiteral(unit.value) && Number(unit.value.text) > 0)
    flat.multipleOf ??= { value: unit.value.text, pointer: unit.pointer };
  const unique = childOf(part, "uniqueItems");
  if (unique?.value === true) flat.uniqueItems ??= { value: true, pointer: unique.pointer };
  const pattern = childOf(part, "pattern");
  if (typeof pattern?.value === "string") flat.patterns.set(pattern.value, pattern.pointer);
}

function toEnum(
  { value, pointer }: Place,
  numberOf: (value: Value) => number,
  before: ReadonlyMap<number, string> | undefined,
): Found<ReadonlyMap<number, string>> {
  const known = new Map<number, string>();
  for (const one of value as Value[]) if (one !== null) known.set(numberOf(one), show(one));
  if (before !== undefined) for (const number of known.keys()) if (!before.has(number)) known.delete(number);
  return { value: known, pointer };
}

const show = (value: Value): string =>
  typeof value === "string"
    ? JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
    : typeof value === "boolean"
      ? String(value)
      : value !== null && isLiteral(value)
        ? value.text
        : "a list or an object";

/** Limits are small; one that is no whole number is none. */
function numberIn(place: Place | undefined): number | undefined {
  if (place === undefined || !isLiteral(place.value)) return undefined;
  const count = Number(place.value.text);
  return Number.isFinite(count) ? count : undefined;
}

function addBound(flat: Flat, part: Place, name: "minimum" | "maximum"): void {
  const flag = name === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  const [plain, other] = [childOf(part, name), childOf(part, flag)];
  const add = (place: Place, exclusive: boolean): void => {
    if (!isLiteral(place.value) || place.value.kind !== "number") return;
    const bound = { text: place.value.text, exclusive, pointer: place.pointer };
    const before = flat[name];
    if (before === undefined || isTighter(name, before, bound)) flat[name] = bound;
  };
  // Until 3.0 the other keyword is a flag.
  if (plain !== undefined) add(plain, other?.value === true);
  if (other !== undefined) add(other, true);
}

/** Whether the second bound allows less than the first. */
export function isTighter(name: "minimum" | "maximum", a: Bound, b: Bound): boolean {
  const order = compareNumbers(a.text, b.text);
  if (order === 0) return b.exclusive && !a.exclusive;
  return name === "minimum" ? order < 0 : order > 0;
}

/** Adds `oneOf` and `anyOf`. An alternative that is only null makes the others nullable. */
function addAlternatives(flat: Flat, part: Queued, queue: Queued[]): void {
  for (const kind of ["oneOf", "anyOf"] as const) {
    const group = childOf(part, kind);
    const all = itemsOf(group);
    if (group === undefined || all.length === 0) continue;
    const items = all.filter((item) => childOf(item, "type")?.value !== "null");
    const hasNull = items.length < all.length;
    const [only] = items;
    if (only !== undefined && items.length === 1) queue.push({ ...only, orNull: hasNull || part.orNull });
    else if (items.length > 0) {
      if (!hasNull && !part.orNull && flat.types === undefined) flat.null = false;
      flat.groups.push({ kind, pointer: group.pointer, items });
    }
  }
}

function addTo<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}
