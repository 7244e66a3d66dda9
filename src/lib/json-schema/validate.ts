import { append } from "../append.ts";
import { createNumbering } from "../data/equal.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import { escapeToken, toPointer } from "../json/pointer.ts";
import { DocumentFault } from "../fault.ts";
import { load } from "../load.ts";
import { type Draft, draftOf, metaSchemaOf } from "./dialects.ts";
import { type Violation, evaluate, type Instance, type Run } from "./evaluation.ts";
import { keywords } from "./keywords.ts";
import { createMatcher } from "./patterns.ts";
import { createRegistry } from "./registry.ts";
import { SchemaFault } from "./schema-fault.ts";

export interface ValidateOptions {
  /** Undefined: the draft of `$schema`, or 2020-12 without it. */
  draft: Draft | undefined;
  /** Whether `format` asserts. */
  formats: boolean;
  /** Documents that the schema may refer to, by URI without fragment. */
  documents: ReadonlyMap<string, Value>;
}

/** One violation in a document. */
export interface SchemaFinding {
  message: string;
  rule: string;
  /** RFC 6901, into the document. */
  pointer: string;
}

/** Limit of applied schemas: a base, and more for each value of the document. */
const steps = { least: 500_000, each: 200 };

/**
 * Validates a document against a schema: at most 100 findings, none if it is valid. Schemas are interpreted,
 * never compiled to code; numbers are compared exactly as written.
 * @throws SchemaFault if the schema is invalid, or refers to something that is not available.
 */
export async function validateSchema(
  document: Value,
  schema: Value,
  options: ValidateOptions,
): Promise<SchemaFinding[]> {
  const { validate } = await openSchema(schema, options);
  return validate(document);
}

/**
 * Prepares a schema for many documents.
 * @throws SchemaFault as `validateSchema` does; so does `validate`.
 */
export const openSchema = async (schema: Value, options: ValidateOptions): Promise<OpenedSchema> =>
  prepareSchema(schema, { ...options, matches: createMatcher(await load("re2js")) });

export interface OpenedSchema {
  run: Run;
  validate(document: Value): SchemaFinding[];
}

/** Does what `openSchema` does, with patterns that are ready. @throws SchemaFault */
export function prepareSchema(
  schema: Value,
  { draft, formats, documents, matches }: ValidateOptions & Pick<Run, "matches">,
): OpenedSchema {
  const placing = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SchemaFault) || error.part === undefined) throw error;
      const pointer = findPart(schema, error.part) ?? "";
      throw new SchemaFault(error.message, { pointer });
    }
  };
  const run = placing(() => {
    const prepared = createRun(schema, { draft, formats, documents, matches });
    checkSchema(schema, prepared, documents);
    checkParts(prepared, documents);
    return prepared;
  });
  return { run, validate: (document) => placing(() => validateValue(run, run.registry.root.root, document)) };
}

/**
 * Prepares a schema, or a document that contains schemas, for `validateValue`.
 * @throws SchemaFault
 */
export function createRun(
  root: Value,
  { draft, formats, documents, matches }: ValidateOptions & Pick<Run, "matches">,
): Run {
  return {
    registry: createRegistry(root, documents, draft),
    formats,
    matches,
    numberOf: createNumbering(),
    enums: new Map(),
    keywords,
    prepared: new Map(),
    left: 0,
  };
}

/**
 * Applies a schema of that run to a value.
 * @throws SchemaFault
 */
export function validateValue(run: Run, schema: Value, value: Value): SchemaFinding[] {
  run.left = steps.least + steps.each * countValues(value);
  const sink: Violation[] = [];
  try {
    const scope = { resource: run.registry.root };
    evaluate({ run, scope, instance: { value }, sink, seen: undefined, depth: 0 }, schema);
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentFault("Schema and document together nest too deeply.");
    throw error;
  }
  return sink.map(({ message, rule, instance }) => ({
    message: `${message}.`,
    rule,
    pointer: pointerOf(instance),
  }));
}

function countValues(root: Value): number {
  let count = 0;
  const waiting = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    count++;
    if (isList(value)) append(waiting, value);
    else if (isDictionary(value)) for (const member of value.values()) waiting.push(member);
  }
  return count;
}

/** Validates the schema against the meta-schema of its draft. */
function checkSchema(schema: Value, { registry, matches }: Run, documents: ReadonlyMap<string, Value>): void {
  const uri = isDictionary(schema) ? schema.get("$schema") : undefined;
  const draft = registry.root.dialect.draft;
  const own = typeof uri === "string" && draftOf(uri) === undefined ? uri : metaSchemaOf(draft);
  const run = createRun(new Map([["$ref", own]]), { draft, formats: false, documents, matches });
  const [first] = validateValue(run, run.registry.root.root, schema);
  if (first === undefined) return;
  throw new SchemaFault(`It is not valid: ${first.message}`, { pointer: first.pointer });
}

/** Finds references to nothing and invalid patterns, which otherwise only some documents would reveal. */
function checkParts({ registry, matches }: Run, documents: ReadonlyMap<string, Value>): void {
  for (const [schema, resource] of registry.schemas()) {
    // The caller's other documents may be used only in part, so they may contain faults elsewhere.
    if (documents.has(resource.uri)) continue;
    try {
      const pattern = schema.get("pattern");
      if (typeof pattern === "string") matches(pattern, "");
      const patterns = schema.get("patternProperties");
      if (isDictionary(patterns ?? null))
        for (const name of (patterns as Dictionary).keys()) matches(name, "");
      for (const keyword of ["$ref", "$dynamicRef"]) {
        const reference = schema.get(keyword);
        if (typeof reference === "string" && resource.dialect.keywords.has(keyword))
          registry.resolve(resource, reference);
      }
    } catch (error) {
      throw error instanceof SchemaFault ? new SchemaFault(error.message, { part: schema }) : error;
    }
  }
}

/** Returns the pointer to a part of the schema, or undefined if it belongs to another document. */
function findPart(schema: Value, part: Value): string | undefined {
  const waiting: [Value, string][] = [[schema, ""]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, pointer] = next;
    if (value === part) return pointer;
    if (isList(value))
      for (const [index, item] of value.entries()) waiting.push([item, `${pointer}/${index}`]);
    if (isDictionary(value))
      for (const [key, member] of value) waiting.push([member, `${pointer}/${escapeToken(key)}`]);
  }
  return undefined;
}

function pointerOf(instance: Instance): string {
  const path: (string | number)[] = [];
  for (let at: Instance | undefined = instance; at?.key !== undefined; at = at.parent) path.push(at.key);
  return toPointer(path.toReversed());
}

/** Converts dates, and numbers that JSON lacks, to the strings that JSON would hold. */
export function toJsonValues(value: Value): Value {
  if (isList(value)) return value.map(toJsonValues);
  if (isDictionary(value)) return new Map(Array.from(value, ([key, member]) => [key, toJsonValues(member)]));
  return typeof value === "object" && value !== null && value.kind !== "number" ? value.text : value;
}
