import type { Numbering } from "../data/equal.ts";
import { isDictionary, type Value } from "../data/value.ts";
import { dynamicTarget, recursiveTarget } from "./dynamic.ts";
import { isKeywordValue } from "./keyword-shapes.ts";
import type { Registry, Resource, Target } from "./registry.ts";
import { DocumentFault } from "../fault.ts";
import { SchemaFault } from "./schema-fault.ts";

/** A value in the document, and the path to it. */
export interface Instance {
  value: Value;
  key?: string | number;
  parent?: Instance;
}

/** One violation found in one value. */
export interface Violation {
  message: string;
  /** The violated keyword, in kebab case. */
  rule: string;
  instance: Instance;
}

/** State shared by the parts of one validation. */
export interface Run {
  registry: Registry;
  /** Whether `format` asserts. */
  formats: boolean;
  /**
   * Reports whether a text matches a pattern.
   * @throws SchemaFault if the pattern is invalid.
   */
  matches(pattern: string, text: string): boolean;
  numberOf: Numbering;
  /** The values of each `enum`, as their numbers. */
  enums: Map<Value, ReadonlySet<number>>;
  keywords: ReadonlyMap<string, Keyword>;
  prepared: Map<Map<string, Value>, Prepared>;
  /** Schemas that may still be applied: references can double the work at every step. */
  left: number;
}

/** The resources that evaluation has passed through, the innermost first. */
export interface Scope {
  resource: Resource;
  outer?: Scope;
}

/**
 * The properties and items that successful keywords evaluated; `unevaluatedProperties` and `unevaluatedItems` apply to
 * the others.
 */
export interface Seen {
  properties: Set<string>;
  /** All items before this index are evaluated. */
  items: number;
  indexes: Set<number>;
}

/** One schema, applied to one value. */
export interface Application {
  run: Run;
  schema: Map<string, Value>;
  scope: Scope;
  instance: Instance;
  /** The list that gets the violations; undefined if only the outcome counts, so that the first failure ends it. */
  sink: Violation[] | undefined;
  seen: Seen | undefined;
  /** Nested schemas applied to this same value. */
  depth: number;
}

/** Reports whether the value passes, and adds violations to the sink. */
export type Keyword = (application: Application, value: Value) => boolean;

const maxViolations = 100;
/** Limit of references from schema to schema about one value; no sensible schema needs as many. */
const maxInPlace = 200;

/** Applies a schema to a value. */
export function evaluate(
  outer: Omit<Application, "schema">,
  schema: Value,
  resource: Resource = outer.scope.resource,
): boolean {
  const { run, instance, sink } = outer;
  if (--run.left < 0)
    throw new DocumentFault("Schema and document together need too much work; simplify the schema.");
  if (schema === true) return true;
  if (schema === false) return reportViolation(outer, "false-schema", "No value is allowed here");
  if (!isDictionary(schema)) throw new SchemaFault("The schema refers to something that is not a schema.");
  if (outer.depth > maxInPlace)
    throw new SchemaFault("The schema refers to itself without end.", { part: schema });

  const { home, early, late } = prepare(run, schema, resource);
  const application: Application = {
    run,
    schema,
    scope: home === outer.scope.resource ? outer.scope : { resource: home, outer: outer.scope },
    instance,
    sink,
    seen: outer.seen ?? (late.length > 0 ? createSeen() : undefined),
    depth: outer.depth,
  };
  const valid = applyAll(application, early);
  if (!valid && sink === undefined) return false;
  return applyAll(application, late) && valid;
}

function applyAll(application: Application, keywords: Prepared["early"]): boolean {
  const { sink } = application;
  let valid = true;
  for (const { keyword, value } of keywords) {
    if (keyword(application, value)) continue;
    valid = false;
    if (sink === undefined || sink.length >= maxViolations) return false;
  }
  return valid;
}

/** The keywords of a schema with their values, prepared once. */
export interface Prepared {
  home: Resource;
  early: { keyword: Keyword; value: Value }[];
  /** The `unevaluated` keywords come last. */
  late: Prepared["early"];
}

function prepare(run: Run, schema: Map<string, Value>, resource: Resource): Prepared {
  let prepared = run.prepared.get(schema);
  if (prepared === undefined) {
    const home = run.registry.resourceOf(schema) ?? resource;
    prepared = { home, early: [], late: [] };
    const alone = home.dialect.refAlone && schema.has("$ref");
    for (const [name, value] of schema) {
      const keyword = home.dialect.keywords.has(name) ? run.keywords.get(name) : undefined;
      if (keyword === undefined || (alone && name !== "$ref")) continue;
      if (!isKeywordValue(name, value))
        throw new SchemaFault(`This value is not valid for the keyword ${name}.`, { part: schema });
      (name.startsWith("unevaluated") ? prepared.late : prepared.early).push({ keyword, value });
    }
    run.prepared.set(schema, prepared);
  }
  return prepared;
}

/** Applies a schema to the same value; what it evaluated counts if the value passes. */
export function evaluateHere(
  application: Application,
  schema: Value,
  options: { quiet?: boolean; to?: Target } = {},
): boolean {
  const { seen, sink, depth } = application;
  const own = seen && createSeen();
  const { run, scope, instance } = application;
  const inner = { run, scope, instance, sink: options.quiet ? undefined : sink, seen: own, depth: depth + 1 };
  if (!evaluate(inner, schema, options.to?.resource)) return false;
  if (seen !== undefined && own !== undefined) mergeSeen(seen, own);
  return true;
}

/** Applies a schema to a part of the value. */
export function evaluateChild(
  application: Application,
  schema: Value,
  key: string | number,
  value: Value,
  quiet = false,
): boolean {
  const { sink, instance: parent } = application;
  const instance: Instance = { value, key, parent };
  const { run, scope } = application;
  return evaluate(
    { run, scope, instance, sink: quiet ? undefined : sink, seen: undefined, depth: 0 },
    schema,
  );
}

/** Resolves a reference and applies the schema there. */
export function evaluateReference(
  application: Application,
  reference: string,
  kind: "static" | "dynamic" | "recursive",
): boolean {
  const { run, scope } = application;
  const target = run.registry.resolve(scope.resource, reference);
  const final =
    kind === "dynamic"
      ? dynamicTarget(target, scope)
      : kind === "recursive"
        ? recursiveTarget(target, scope)
        : target;
  return evaluateHere(application, final.schema, { to: final });
}

/** Reports a violation. Always returns false, as the keyword's result. */
export function reportViolation(
  { sink, instance }: Pick<Application, "sink" | "instance">,
  rule: string,
  message: string,
  at: Instance = instance,
): false {
  if (sink !== undefined && sink.length < maxViolations) sink.push({ rule, message, instance: at });
  return false;
}

const createSeen = (): Seen => ({ properties: new Set(), items: 0, indexes: new Set() });

function mergeSeen(into: Seen, from: Seen): void {
  for (const name of from.properties) into.properties.add(name);
  for (const index of from.indexes) into.indexes.add(index);
  into.items = Math.max(into.items, from.items);
}
