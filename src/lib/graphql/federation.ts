import type { ConstDirectiveNode, ConstValueNode, DefinitionNode, DocumentNode } from "graphql";
import { federationDirectives, toDefinitions } from "./federation-definitions.ts";
import type { Graphql } from "./problem.ts";

export const federations = ["auto", "none", "1", "2"] as const;

/** The directives of Apollo Federation that a schema may use without defining them; auto decides by the schema. */
export type Federation = (typeof federations)[number];

/** A subgraph with what the federation runtime adds to it. */
export interface Subgraph {
  document: DocumentNode;
  /** Undefined if the schema is not a subgraph. */
  version: "1" | "2" | undefined;
  /** The names in the schema of federation's directives, by their own, without `@`. */
  directives: ReadonlyMap<string, string>;
  /** Returns what accepts an unknown directive, if it is one of federation. */
  adviseOn(directive: string): string | undefined;
}

/**
 * Adds the definitions that a subgraph uses but does not contain: directives, their types, and Query if there is none; an
 * extension of a type of another subgraph defines its part of the type.
 */
export function toSubgraph(graphql: Graphql, source: DocumentNode, federation: Federation): Subgraph {
  const link = findLink(source);
  const version =
    federation === "none" ? undefined : federation === "auto" ? detect(graphql, source, link) : federation;
  const adviseOn = (directive: string): string | undefined => {
    if (!Object.hasOwn(federationDirectives, directive)) return undefined;
    if (federation === "none") return "To accept it, set federation to auto.";
    if (link !== undefined) return `Add "@${directive}" to the import of @link.`;
    return "To accept it, set federation to 2, or import it with @link.";
  };
  const names = new Map(
    Object.keys(federationDirectives).map((name) => [name, link?.toName(`@${name}`).slice(1) ?? name]),
  );
  if (version === undefined) return { document: source, version, directives: names, adviseOn };
  const toName =
    link?.toName ?? ((name: string): string => (name === "FieldSet" && version === "1" ? "_FieldSet" : name));
  const own = new Set(source.definitions.map(keyOf));
  const added = toDefinitions(version, toName)
    .flatMap((text) => graphql.parse(text, { noLocation: true }).definitions)
    .filter((definition) => !own.has(keyOf(definition)));
  const document = { ...source, definitions: [...defineExtended(source.definitions), ...added] };
  if (!hasQuery(document))
    document.definitions.push(
      ...graphql.parse("type Query { _service: _Service! }", { noLocation: true }).definitions,
    );
  return { document, version, directives: names, adviseOn };
}

interface Link {
  /** The name in the schema of `@name` or a type of federation. */
  toName(name: string): string;
}

/** Finds `@link` to the federation specification. */
function findLink({ definitions }: DocumentNode): Link | undefined {
  for (const definition of definitions) {
    if (definition.kind !== "SchemaDefinition" && definition.kind !== "SchemaExtension") continue;
    const link = definition.directives?.find(
      (one) =>
        one.name.value === "link" &&
        /^https?:\/\/specs\.apollo\.dev\/federation\/v2/.test(textOf(argumentOf(one, "url")) ?? ""),
    );
    if (link !== undefined) return readLink(link);
  }
  return undefined;
}

function readLink(link: ConstDirectiveNode): Link {
  const space = textOf(argumentOf(link, "as")) ?? "federation";
  const imports = argumentOf(link, "import");
  const imported = new Map<string, string>();
  for (const value of imports?.kind === "ListValue" ? imports.values : []) {
    const member = (name: string): string | undefined =>
      value.kind === "ObjectValue"
        ? textOf(value.fields.find((field) => field.name.value === name)?.value)
        : undefined;
    const name = textOf(value) ?? member("name");
    if (name !== undefined && /^@?\w+$/.test(name)) imported.set(name, aliasOf(name, member("as")));
  }
  return {
    toName: (name) =>
      imported.get(name) ?? (name.startsWith("@") ? `@${space}__${name.slice(1)}` : `${space}__${name}`),
  };
}

/** An alias that is no name is left out: the parser of the definitions would refuse it. */
const aliasOf = (name: string, alias: string | undefined): string =>
  alias !== undefined && /^@?[A-Za-z_]\w*$/.test(alias) && alias.startsWith("@") === name.startsWith("@")
    ? alias
    : name;

const argumentOf = (directive: ConstDirectiveNode, name: string): ConstValueNode | undefined =>
  directive.arguments?.find((one) => one.name.value === name)?.value;

const textOf = (value: ConstValueNode | undefined): string | undefined =>
  value?.kind === "StringValue" ? value.value : undefined;

/** Version 2 announces itself; a schema that uses directives of version 1 without defining them is one of version 1. */
function detect(graphql: Graphql, source: DocumentNode, link: Link | undefined): "1" | "2" | undefined {
  if (link !== undefined) return "2";
  const defined = new Set(source.definitions.map(keyOf));
  let found = false;
  graphql.visit(source, {
    Directive({ name: { value } }) {
      found ||=
        value !== "tag" &&
        Object.hasOwn(federationDirectives, value) &&
        federationDirectives[value]?.first === true &&
        !defined.has(`@${value}`);
    },
  });
  return found ? "1" : undefined;
}

const keyOf = (definition: DefinitionNode): string | undefined => {
  if (definition.kind === "DirectiveDefinition") return `@${definition.name.value}`;
  return definition.kind.endsWith("TypeDefinition") && "name" in definition
    ? definition.name?.value
    : undefined;
};

/** Makes the first extension of each type that the document does not define its definition. */
function defineExtended(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const defined = new Set(definitions.map(keyOf));
  return definitions.map((definition) => {
    if (!definition.kind.endsWith("TypeExtension") || !("name" in definition)) return definition;
    const name = definition.name?.value;
    if (defined.has(name)) return definition;
    defined.add(name);
    return { ...definition, kind: definition.kind.replace("Extension", "Definition") } as DefinitionNode;
  });
}

const hasQuery = ({ definitions }: DocumentNode): boolean =>
  definitions.some(
    (one) => keyOf(one) === "Query" || (one.kind === "SchemaDefinition" && one.operationTypes.length > 0),
  );
