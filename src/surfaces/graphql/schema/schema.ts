import {
  assertValidSchema,
  buildASTSchema,
  type DocumentNode,
  type GraphQLSchema,
  isEnumType,
  isObjectType,
  isScalarType,
  Kind,
  lexicographicSortSchema,
  parse,
  printSchema,
} from "graphql";
import type { Catalog } from "../../../catalog/catalog.ts";
import { loadOperations } from "../../../operations/index.ts";
import { gone } from "../../http/body.ts";
import { core } from "./core.ts";
import { toEnumName } from "./names.ts";
import type { Part, Resolver } from "./part.ts";
import { createParts } from "./parts.ts";
import { scalars } from "./scalars.ts";

export interface Schema {
  readonly schema: GraphQLSchema;
  /** The SDL, sorted so that it does not depend on the order of the parts; computed on first use. */
  readonly sdl: string;
}

/**
 * Creates the schema of an installation, once, for the first request. It loads every tool and every operation, and does not depend on the
 * caller.
 */
export async function createSchema(catalog: Catalog): Promise<Schema> {
  const schema = assemble(createParts(await catalog.all(), await loadOperations()), { isValidated: true });
  let sdl: string | undefined;
  return {
    schema,
    get sdl() {
      return (sdl ??= `${printSchema(lexicographicSortSchema(schema))}\n`);
    },
  };
}

/**
 * Assembles a schema from its parts.
 * @param isValidated Skip validation, because a test has validated the parts; it would take longer than the first answer.
 * @throws Error for duplicate names, and for resolvers or enum values without a definition.
 */
export function assemble(parts: readonly Part[], { isValidated = false } = {}): GraphQLSchema {
  const all = [core, ...parts];
  const text = all.map(({ typeDefs }) => typeDefs).join("\n");
  const document = withRoots(parse(text, { noLocation: true }));
  const schema = buildASTSchema(document, { assumeValid: isValidated, assumeValidSDL: isValidated });
  for (const type of Object.values(schema.getTypeMap())) {
    const scalar = isScalarType(type) && scalars[type.name];
    if (scalar) Object.assign(type, scalar);
  }
  for (const { enums = {}, resolvers } of all) {
    for (const [name, values] of Object.entries(enums)) giveValues(schema, name, values);
    for (const [name, fields] of Object.entries(resolvers)) giveResolvers(schema, name, fields);
  }
  if (!isValidated) assertValidSchema(schema);
  return schema;
}

const roots = {
  Query: "Read operations. Fields are resolved concurrently.",
  Mutation: "Write operations. Fields are executed one after another, in document order.",
  Subscription:
    "Live updates over WebSockets (graphql-transport-ws) and event streams. One field per operation.",
};

/** Root types that parts extend; a type without fields is omitted. */
function withRoots(document: DocumentNode): DocumentNode {
  const extended = new Set<string>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OBJECT_TYPE_EXTENSION) extended.add(definition.name.value);
  }
  const types = Object.entries(roots).filter(([name]) => extended.has(name));
  const own = parse(types.map(([name, text]) => `"${text}"\ntype ${name}`).join("\n"));
  return { ...document, definitions: [...own.definitions, ...document.definitions] };
}

function giveValues(schema: GraphQLSchema, name: string, values: readonly string[]): void {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`There is no enum ${name}`);
  const left = new Map(values.map((value) => [toEnumName(value), value]));
  for (const entry of type.getValues()) {
    const value = left.get(entry.name);
    if (value === undefined) throw new Error(`${name}.${entry.name} has no value`);
    left.delete(entry.name);
    entry.value = value;
  }
  if (left.size > 0) throw new Error(`${name} lacks ${[...left.keys()].join(", ")}`);
}

function giveResolvers(schema: GraphQLSchema, name: string, fields: Part["resolvers"][string]): void {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`There is no type ${name}`);
  const known = type.getFields();
  const isRoot = name === "Query" || name === "Mutation";
  for (const [field, resolver] of Object.entries(fields)) {
    const target = known[field];
    if (target === undefined) throw new Error(`${name} has no field ${field}`);
    if (typeof resolver === "function") target.resolve = isRoot ? whilePresent(resolver) : resolver;
    else Object.assign(target, resolver);
  }
}

/** Starts no further field after the caller has left, such as the next of several mutations. */
const whilePresent =
  (resolve: Resolver): Resolver =>
  (source, args, context, info) => {
    if (context.gone) throw gone;
    return resolve(source, args, context, info);
  };
