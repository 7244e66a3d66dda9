import { unescapeToken } from "../json/pointer.ts";
import { type Dictionary, isDictionary, isList, type Value } from "../data/value.ts";
import { type Dialect, dialects, draftOf, type Draft } from "./dialects.ts";
import { metaSchema } from "./meta-schemas.ts";
import { SchemaFault } from "./schema-fault.ts";
import { fragmentOf, resolveUri } from "./uri.ts";

/** A schema with a URI of its own: a document, or a part of one that has `$id`. */
export interface Resource {
  uri: string;
  root: Value;
  dialect: Dialect;
  anchors: Map<string, Value>;
  dynamicAnchors: Map<string, Value>;
}

/** The target of a reference. */
export interface Target {
  schema: Value;
  resource: Resource;
  /** The name, if a `$dynamicAnchor` defines it. */
  dynamic?: string;
}

/** Every schema that a validation knows, by URI. Nothing is fetched. */
export interface Registry {
  root: Resource;
  /** The resource that a schema belongs to, if it has been indexed. */
  resourceOf(schema: Dictionary): Resource | undefined;
  /** Every indexed schema, including those indexed during iteration. */
  schemas(): Iterable<[Dictionary, Resource]>;
  /** @throws SchemaFault if the target does not exist. */
  resolve(from: Resource, reference: string): Target;
}

/** The URI of a schema that has none. */
const nameless = "schema:///";

/**
 * Indexes a schema and the documents that it may refer to, by URI.
 * @throws SchemaFault if its draft is unknown.
 */
export function createRegistry(
  root: Value,
  documents: ReadonlyMap<string, Value>,
  draft: Draft | undefined,
): Registry {
  const resources = new Map<string, Resource>();
  const places = new Map<Dictionary, Resource>();
  /**
   * Resolved references, by the resource that contains them: an `items` schema is resolved for every item.
   */
  const targets = new Map<Resource, Map<string, Target>>();

  function addDocument(uri: string, document: Value, fallback: Dialect): Resource {
    const resource = createResource(uri, document, dialectOf(document) ?? fallback);
    resources.set(uri, resource);
    index(document, resource, true);
    return (isDictionary(document) ? places.get(document) : undefined) ?? resource;
  }

  /** Finds identifiers in every place where a schema is expected, and nowhere else. */
  function index(schema: Value, outer: Resource, isRoot = false): void {
    const waiting: { schema: Value; outer: Resource; isRoot: boolean }[] = [{ schema, outer, isRoot }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (!isDictionary(next.schema) || places.has(next.schema)) continue;
      const resource = identify(next.schema, next.outer, next.isRoot);
      places.set(next.schema, resource);
      for (const part of subschemasOf(next.schema))
        waiting.push({ schema: part, outer: resource, isRoot: false });
    }
  }

  function identify(schema: Dictionary, outer: Resource, isRoot: boolean): Resource {
    const own = isRoot ? outer.dialect : (dialectOf(schema) ?? outer.dialect);
    let resource = outer;
    const id = schema.get(own.id);
    // Up to draft 7, keywords beside `$ref` are ignored.
    const hidden = own.refAlone && schema.has("$ref");
    if (typeof id === "string" && !hidden) {
      const fragment = fragmentOf(id) ?? "";
      if (!id.startsWith("#")) {
        const uri = resolveUri(outer.uri, id);
        resource = createResource(uri, schema, own);
        resources.set(uri, resource);
        if (isRoot) resources.set(outer.uri, resource);
      }
      if (fragment !== "" && own.anchorsInId) resource.anchors.set(fragment, schema);
    }
    if (own.anchorsInId) return resource;
    const anchor = schema.get("$anchor");
    if (typeof anchor === "string") resource.anchors.set(anchor, schema);
    const dynamic = schema.get("$dynamicAnchor");
    if (typeof dynamic === "string" && own.dynamic) {
      resource.anchors.set(dynamic, schema);
      resource.dynamicAnchors.set(dynamic, schema);
    }
    return resource;
  }

  function dialectOf(schema: Value): Dialect | undefined {
    const uri = isDictionary(schema) ? schema.get("$schema") : undefined;
    return typeof uri === "string" ? findDialect(uri, 0) : undefined;
  }

  /** A custom meta-schema has the draft of its own `$schema`, with the vocabularies that it lists. */
  function findDialect(uri: string, depth: number): Dialect {
    const draftName = draftOf(uri);
    if (draftName !== undefined) return dialects[draftName];
    const own = documents.get(resolveUri(uri, ""));
    const parent = isDictionary(own ?? null) ? (own as Dictionary).get("$schema") : undefined;
    if (typeof parent !== "string" || depth > 20)
      throw new SchemaFault(
        `$schema is ${quote(uri)}, which is not one of the drafts 2020-12, 2019-09, 7, 6 and 4; pass that meta-schema in schemas.`,
      );
    const dialect = findDialect(parent, depth + 1);
    const vocabularies = (own as Dictionary).get("$vocabulary");
    if (!isDictionary(vocabularies ?? null)) return dialect;
    return dialect.withVocabularies([...(vocabularies as Dictionary).keys()]);
  }

  function findResource(uri: string, from: Resource): Resource {
    const found = resources.get(uri);
    if (found !== undefined) return found;
    const document = documents.get(uri) ?? metaSchema(uri);
    if (document !== undefined) return addDocument(uri, document, from.dialect);
    const name = uri.startsWith(nameless) ? uri.slice(nameless.length) : uri;
    throw new SchemaFault(
      `The schema refers to ${quote(name)}, which is not available: nothing is fetched. Put it under $defs with its $id, or pass it in schemas.`,
    );
  }

  function followPointer(resource: Resource, fragment: string): Target | undefined {
    let schema: Value | undefined = resource.root;
    let here = resource;
    for (const token of fragment.slice(1).split("/")) {
      const key = unescapeToken(token);
      if (isList(schema)) schema = /^\d{1,15}$/.test(key) ? schema[Number(key)] : undefined;
      else schema = isDictionary(schema ?? null) ? (schema as Dictionary).get(key) : undefined;
      if (schema === undefined) return undefined;
      if (isDictionary(schema)) here = places.get(schema) ?? here;
    }
    // The target may be in a place where no schema was expected.
    index(schema, here);
    return { schema, resource: isDictionary(schema) ? (places.get(schema) ?? here) : here };
  }

  function find(from: Resource, reference: string): Target {
    const resource = findResource(resolveUri(from.uri, reference), from);
    const fragment = decode(fragmentOf(reference) ?? "");
    if (fragment === "") return { schema: resource.root, resource };
    const anchored = resource.anchors.get(fragment);
    if (anchored !== undefined) {
      const dynamic = resource.dynamicAnchors.get(fragment) === anchored;
      return { schema: anchored, resource, ...(dynamic && { dynamic: fragment }) };
    }
    const found = fragment.startsWith("/") ? followPointer(resource, fragment) : undefined;
    if (found !== undefined) return found;
    throw new SchemaFault(`The schema refers to ${quote(reference)}, which does not exist.`);
  }

  const fallback = dialects[draft ?? "2020-12"];
  const said = isDictionary(root) ? root.get("$schema") : undefined;
  // An explicit draft overrides the `$schema` of the document, unless that names a meta-schema of the caller.
  const own = draft === undefined || (typeof said === "string" && documents.has(resolveUri(said, "")));
  const top = createResource(nameless, root, (own ? dialectOf(root) : undefined) ?? fallback);
  resources.set(nameless, top);
  index(root, top, true);
  return {
    root: (isDictionary(root) ? places.get(root) : undefined) ?? top,
    resourceOf: (schema) => places.get(schema),
    schemas: () => places.entries(),
    resolve(from, reference) {
      const known = targets.get(from) ?? new Map<string, Target>();
      let target = known.get(reference);
      if (target === undefined) {
        target = find(from, reference);
        targets.set(from, known.set(reference, target));
      }
      return target;
    },
  };
}

const createResource = (uri: string, root: Value, dialect: Dialect): Resource => ({
  uri,
  root,
  dialect,
  anchors: new Map(),
  dynamicAnchors: new Map(),
});

const one = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const several = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);
const named = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

function* subschemasOf(schema: Dictionary): Generator<Value> {
  for (const [keyword, value] of schema) {
    if (one.has(keyword) && isDictionary(value)) yield value;
    else if (several.has(keyword) && isList(value)) yield* value;
    else if (named.has(keyword) && isDictionary(value)) yield* value.values();
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const quote = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
