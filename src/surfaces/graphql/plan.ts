import { append } from "../../lib/append.ts";
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from "graphql";
import type { OperationParams } from "./operations.ts";

export type Values = Readonly<Record<string, unknown>>;
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The properties of an operation that matter for counting and caching. */
export interface Plan {
  readonly node: OperationDefinitionNode;
  readonly fragments: Fragments;
  /** Number of tools that it runs; undefined if that depends on its variables. */
  readonly runs: number | undefined;
  /** Whether it requests only the schema, so that the answer is the same for everyone. */
  readonly introspection: boolean;
  /** Whether it signs in and does nothing else. */
  readonly signIn: boolean;
}

export function toPlan(node: OperationDefinitionNode, fragments: Fragments): Plan {
  const all = collect([node.selectionSet], fragments, undefined);
  const names = [...all.values()].flatMap((fields) => fields.map(({ name }) => name.value));
  const fields = names.filter((name) => name !== "__typename");
  const isOnly = (known: readonly string[]): boolean =>
    fields.length > 0 && fields.every((name) => known.includes(name));
  return {
    node,
    fragments,
    runs: hasConditions(node, fragments) ? undefined : countRuns(node, fragments, {}),
    introspection:
      node.operation === "query" &&
      (node.variableDefinitions ?? []).length === 0 &&
      isOnly(["__schema", "__type"]),
    signIn: node.operation === "mutation" && isOnly(["signIn"]),
  };
}

/** Most characters and tokens of a document that signs in. */
const maxSignIn = { characters: 4096, tokens: 200 };

/**
 * Reports whether a document seems to sign in and do nothing else. It is not validated, because callers without a credential
 * may do nothing else.
 */
export function readsAsSignIn({
  query,
  operationName,
}: Pick<OperationParams, "query" | "operationName">): boolean {
  if (query.length > maxSignIn.characters || !query.includes("signIn")) return false;
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: maxSignIn.tokens, noLocation: true });
  } catch {
    return false;
  }
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const node =
    operationName === undefined && operations.length === 1
      ? operations[0]
      : operations.find(({ name }) => name?.value === operationName);
  return node !== undefined && toPlan(node, fragmentsOf(document)).signIn;
}

export const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

/**
 * Counts the tools that an operation runs: the fields below `run`, each response name once, and `runTool`. Fields are
 * collected as for execution (GraphQL §6.3.2), so that no tool runs uncounted.
 */
export function countRuns(
  { operation, selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
  variables: Values,
): number {
  if (operation === "subscription") return 0;
  let count = 0;
  for (const fields of collect([selectionSet], fragments, variables).values()) {
    const name = fields[0]?.name.value;
    if (operation === "mutation") count += name === "runTool" ? 1 : 0;
    else if (name === "run") count += countBelow(fields, fragments, variables);
  }
  return count;
}

function countBelow(fields: readonly FieldNode[], fragments: Fragments, variables: Values): number {
  const sets = fields.flatMap((field) => (field.selectionSet === undefined ? [] : [field.selectionSet]));
  let count = 0;
  for (const [first] of collect(sets, fragments, variables).values()) {
    if (first !== undefined && first.name.value !== "__typename") count += 1;
  }
  return count;
}

/** Returns fields by response name. Without variables, fields with @skip or @include are included. */
function collect(
  sets: readonly SelectionSetNode[],
  fragments: Fragments,
  variables: Values | undefined,
): Map<string, FieldNode[]> {
  const found = new Map<string, FieldNode[]>();
  const seen = new Set<string>();
  const left = sets.flatMap(({ selections }) => selections).toReversed();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (variables !== undefined && isLeftOut(next.directives, variables)) continue;
    if (next.kind === Kind.FIELD) {
      const name = (next.alias ?? next.name).value;
      const fields = found.get(name);
      if (fields === undefined) found.set(name, [next]);
      else fields.push(next);
      continue;
    }
    let set: SelectionSetNode | undefined;
    if (next.kind === Kind.INLINE_FRAGMENT) set = next.selectionSet;
    else if (!seen.has(next.name.value)) {
      seen.add(next.name.value);
      set = fragments.get(next.name.value)?.selectionSet;
    }
    if (set !== undefined) append(left, set.selections.toReversed());
  }
  return found;
}

function isLeftOut(directives: readonly DirectiveNode[] | undefined, variables: Values): boolean {
  for (const { name, arguments: args } of directives ?? []) {
    const value = args?.[0]?.value;
    const holds =
      value?.kind === Kind.VARIABLE
        ? variables[value.name.value] === true
        : value?.kind === Kind.BOOLEAN && value.value;
    if ((name.value === "skip" && holds) || (name.value === "include" && !holds)) return true;
  }
  return false;
}

/** Reports whether variables decide which of the counted fields are skipped. */
function hasConditions({ selectionSet }: OperationDefinitionNode, fragments: Fragments): boolean {
  const left = [selectionSet, ...[...fragments.values()].map((fragment) => fragment.selectionSet)];
  for (let set = left.pop(); set !== undefined; set = left.pop()) {
    for (const selection of set.selections) {
      for (const { arguments: args } of selection.directives ?? [])
        if (args?.some(({ value }) => value.kind === Kind.VARIABLE)) return true;
      if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet !== undefined)
        left.push(selection.selectionSet);
    }
  }
  return false;
}
