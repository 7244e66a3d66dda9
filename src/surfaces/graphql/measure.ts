import {
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import type { Fragments, Values } from "./plan.ts";

/** Size of an operation, with fragments counted at each use. Infinity if it cannot be measured. */
export interface Size {
  /** Nesting of fields, except introspection, which MaxIntrospectionDepthRule limits. */
  depth: number;
  /** Number of aliased fields. */
  aliases: number;
  /**
   * Number of `__schema` fields and of fields below `__schema` or `__type`: the schema is large and walked for each.
   */
  introspectionAliases: number;
  /** Number of `__type` fields. */
  types: number;
  /** Number of fields, where those of a list count once for each possible entry. */
  cost: number;
  /** Whether variables determine the length of a list. */
  sized: boolean;
}

/** Assumed entries of a list without a length argument. */
const usualLength = 20;
/** Depth at which measuring stops; a deeper operation exceeds any limit. */
const maxLevel = 150;

/** @param variables Coerced variables; without them, a list whose length is a variable counts as short as possible. */
export function measure(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables?: Values,
): Size {
  const known = new Map<string, Size>();
  let sized = false;

  function sizeOfSet(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType | undefined,
    level: number,
    inConnection: boolean,
  ): Size {
    const size: Size = { depth: 0, aliases: 0, introspectionAliases: 0, types: 0, cost: 0, sized: false };
    if (level > maxLevel) return { ...size, depth: Infinity };
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) add(size, sizeOfField(selection, type, level, inConnection));
      else if (selection.kind === Kind.FRAGMENT_SPREAD)
        add(size, sizeOfFragment(selection.name.value, level, inConnection));
      else {
        const { typeCondition } = selection;
        const own = typeCondition === undefined ? type : schema.getType(typeCondition.name.value);
        add(size, sizeOfSet(selection.selectionSet, own, level + 1, inConnection));
      }
    }
    return size;
  }

  function sizeOfFragment(name: string, level: number, inConnection: boolean): Size {
    const key = `${name} ${inConnection}`;
    const size = known.get(key);
    if (size !== undefined) return size;
    // A rule of the specification refuses fragments that contain themselves.
    known.set(key, { depth: 0, aliases: 0, introspectionAliases: 0, types: 0, cost: 0, sized: false });
    const fragment = fragments.get(name);
    if (fragment === undefined) return known.get(key) as Size;
    const found = sizeOfSet(
      fragment.selectionSet,
      schema.getType(fragment.typeCondition.name.value),
      level + 1,
      inConnection,
    );
    known.set(key, found);
    return found;
  }

  function sizeOfField(
    node: FieldNode,
    parent: GraphQLNamedType | undefined,
    level: number,
    inConnection: boolean,
  ): Size {
    const field = isCompositeType(parent) ? schema.getField(parent, node.name.value) : undefined;
    const introspective = parent?.name.startsWith("__") === true;
    const alias = node.alias !== undefined && node.alias.value !== node.name.value ? 1 : 0;
    const own: Size = {
      depth: introspective ? 0 : 1,
      aliases: alias,
      introspectionAliases: introspective || node.name.value === "__schema" ? alias : 0,
      types: node.name.value === "__type" ? 1 : 0,
      cost: 1,
      sized: false,
    };
    if (node.selectionSet === undefined) return own;
    const { times, connection } = entriesOf(node, field, introspective || inConnection);
    const type = field === undefined ? undefined : getNamedType(field.type);
    const below = sizeOfSet(node.selectionSet, type, level + 1, connection);
    return {
      depth: own.depth + below.depth,
      aliases: own.aliases + below.aliases,
      introspectionAliases: own.introspectionAliases + below.introspectionAliases,
      types: own.types + below.types,
      cost: own.cost + times * below.cost,
      sized: false,
    };
  }

  /**
   * Returns how often the fields below are resolved, and whether the factor applies to a list below, such as `nodes` of
   * a connection.
   */
  function entriesOf(
    node: FieldNode,
    field: GraphQLField<unknown, unknown> | undefined,
    counted: boolean,
  ): { times: number; connection: boolean } {
    const list = field !== undefined && isListType(getNullableType(field.type));
    const length = field?.args.find(({ name }) => name === "first" || name === "limit");
    if (length === undefined) return { times: list && !counted ? usualLength : 1, connection: false };
    const given = node.arguments?.find(({ name }) => name.value === length.name)?.value;
    return { times: Math.max(1, lengthOf(given, length)), connection: !list };
  }

  function lengthOf(given: ValueNode | undefined, argument: GraphQLArgument): number {
    if (given === undefined) return toNumber(argument.default?.literal) ?? toLength(argument.default?.value);
    if (given.kind !== Kind.VARIABLE) return toNumber(given) ?? usualLength;
    sized = true;
    const name = given.name.value;
    if (variables === undefined) return 1;
    if (Object.hasOwn(variables, name)) return toLength(variables[name]);
    const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
    return toNumber(definition?.defaultValue) ?? lengthOf(undefined, argument);
  }

  const root = schema.getRootType(operation.operation) ?? undefined;
  const size = sizeOfSet(operation.selectionSet, root, 0, false);
  return { ...size, sized };
}

function add(size: Size, more: Size): void {
  size.depth = Math.max(size.depth, more.depth);
  size.aliases += more.aliases;
  size.introspectionAliases += more.introspectionAliases;
  size.types += more.types;
  size.cost += more.cost;
}

const toNumber = (node: ValueNode | undefined): number | undefined =>
  node?.kind === Kind.INT ? Number(node.value) : undefined;

const toLength = (value: unknown): number => (typeof value === "number" ? value : usualLength);
