import {
  BREAK,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationRule,
} from "graphql";
import { ToolError } from "../../catalog/errors.ts";
import { measure, type Size } from "./measure.ts";
import { fragmentsOf } from "./plan.ts";

/** Size limits of a document: `graphql.max…` of the configuration. */
export interface DocumentLimits {
  maxDepth: number;
  maxAliases: number;
  maxCost: number;
}

/**
 * Most directives, fragment spreads and repeated response names of a document. Not configurable: nobody writes that
 * many, and validation takes quadratic time.
 */
const max = { directives: 50, spreads: 50, repeats: 50 };

/** Most uses of `__type` in one operation. A large type takes milliseconds; that of `run` is the largest. */
const maxTypes = 4;

/**
 * One rule for all limits. It runs before the rules of the specification, which take longest for the documents that
 * this one refuses.
 */
export function createLimitRule(limits: DocumentLimits): ValidationRule {
  return (context) => ({
    Document(document) {
      const fault = faultOfText(document) ?? faultOfSizes(limits, context.getSchema(), document);
      if (fault !== undefined) context.reportError(fault);
      return BREAK;
    },
  });
}

function faultOfSizes(
  limits: DocumentLimits,
  schema: GraphQLSchema,
  document: DocumentNode,
): GraphQLError | undefined {
  const fragments = fragmentsOf(document);
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    const fault = faultOfSize(limits, operation, measure(schema, operation, fragments));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Returns which limit an operation exceeds; undefined if none. */
export function faultOfSize(
  { maxDepth, maxAliases, maxCost }: DocumentLimits,
  operation: OperationDefinitionNode,
  { depth, aliases, cost, introspectionAliases, types }: Size,
): GraphQLError | undefined {
  if (depth > maxDepth)
    return refusal(operation, maxDepth, `being nested deeper than ${maxDepth} levels (graphql.maxDepth)`);
  if (introspectionAliases > 0)
    return refusal(operation, 0, "using aliases in introspection, which are not allowed there");
  if (types > maxTypes)
    return refusal(
      operation,
      maxTypes,
      `using __type more than ${maxTypes} times; use further documents for the rest`,
    );
  if (aliases > maxAliases)
    return refusal(operation, maxAliases, `using more than ${maxAliases} aliases (graphql.maxAliases)`);
  if (cost > maxCost)
    return refusal(
      operation,
      maxCost,
      `requesting more than ${maxCost} fields (graphql.maxCost), where those of a list count once for each possible entry: request fewer entries with first`,
    );
  return undefined;
}

/** Fields of a selection set by response name, including those of its inline fragments. */
type Names = Map<string, Names>;

/** Returns the fault of a document as written, without resolving fragment spreads. */
function faultOfText(document: DocumentNode): GraphQLError | undefined {
  const count = { directives: 0, spreads: 0, repeats: 0 };
  const left: { set: SelectionSetNode; names: Names }[] = [];
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue;
    count.directives += definition.directives?.length ?? 0;
    for (const { directives } of definition.variableDefinitions ?? [])
      count.directives += directives?.length ?? 0;
    left.push({ set: definition.selectionSet, names: new Map() });
  }
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { set, names } = next;
    for (const selection of set.selections) {
      count.directives += selection.directives?.length ?? 0;
      if (selection.kind === Kind.FRAGMENT_SPREAD) count.spreads += 1;
      else if (selection.kind === Kind.INLINE_FRAGMENT) left.push({ set: selection.selectionSet, names });
      else {
        const name = (selection.alias ?? selection.name).value;
        const known = names.get(name);
        if (known !== undefined) count.repeats += 1;
        // Fields of the same response name are merged, and so are their subfields: every pair is compared.
        const below: Names = known ?? new Map();
        names.set(name, below);
        if (selection.selectionSet !== undefined) left.push({ set: selection.selectionSet, names: below });
      }
    }
  }
  if (count.directives > max.directives)
    return refusal(undefined, max.directives, `using more than ${max.directives} directives`);
  if (count.spreads > max.spreads)
    return refusal(undefined, max.spreads, `using fragments more than ${max.spreads} times`);
  if (count.repeats > max.repeats)
    return refusal(undefined, max.repeats, `repeating fields more than ${max.repeats} times`);
  return undefined;
}

function refusal(node: OperationDefinitionNode | undefined, limit: number, what: string): GraphQLError {
  const cause = new ToolError("invalid_input", `The document is refused for ${what}.`, { limit });
  return new GraphQLError(cause.message, { nodes: node, originalError: cause });
}
