import type { ASTVisitor, DocumentNode, GraphQLError, GraphQLSchema } from "graphql";
import { type Federation, type Subgraph, toSubgraph } from "./federation.ts";
import { checkFieldSets } from "./field-sets.ts";
import {
  type Graphql,
  type GraphqlProblem,
  guardDepth,
  maxLikeNames,
  maxProblems,
  nameOf,
  parseDocument,
  toMessage,
  toProblem,
} from "./problem.ts";

/** A schema, as far as it can be built, and its faults. */
export interface ReadSchema {
  schema: GraphQLSchema | undefined;
  problems: GraphqlProblem[];
  /** Whether the document contains only operations and fragments, and is not a schema. */
  executable: boolean;
}

export function readSchema(graphql: Graphql, text: string, federation: Federation): ReadSchema {
  const source = parseDocument(graphql, text);
  if (!("kind" in source)) return { schema: undefined, problems: source, executable: false };
  const operations = source.definitions.filter(graphql.isExecutableDefinitionNode);
  if (operations.length === source.definitions.length)
    return { schema: undefined, problems: [], executable: true };
  let schema: GraphQLSchema | undefined;
  const problems = guardDepth(() => {
    const subgraph = toSubgraph(graphql, source, federation);
    const { document, version } = subgraph;
    const found = [
      ...operations.map(({ loc }) => ({
        message: "A schema cannot contain operations or fragments.",
        rule: "schema-definitions",
        index: loc?.start ?? 0,
      })),
      ...runRules(graphql, subgraph),
    ];
    if (found.length > 0) return found;
    try {
      schema = graphql.buildASTSchema(document);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof RangeError) throw error;
      return toUnplaced(error.message, text);
    }
    const faults = graphql.validateSchema(schema).map((error) => toProblem(error, "type-system"));
    return faults.length > 0 || version === undefined ? faults : checkFieldSets(graphql, schema, subgraph);
  });
  return { schema, problems, executable: false };
}

/** The context of one rule; the library does not export a function to create it. */
interface RuleContext {
  hideSuggestions: boolean;
  getDocument(): DocumentNode;
  getSchema(): undefined;
  reportError(error: GraphQLError): void;
}

/** Ends a rule that has found enough. */
const enough = new Error("There are enough problems");

/** One rule at a time, because an error of the library does not name its rule. Returns `maxProblems` at most. */
function runRules(graphql: Graphql, { document, adviseOn }: Subgraph): GraphqlProblem[] {
  const problems: GraphqlProblem[] = [];
  for (const rule of rulesOf(graphql)) {
    const context: RuleContext = {
      hideSuggestions: document.definitions.length > maxLikeNames,
      getDocument: () => document,
      getSchema: () => undefined,
      reportError(error) {
        const problem = toProblem(error, nameOf(graphql, rule));
        const unknown =
          rule === graphql.KnownDirectivesRule && /^Unknown directive "@(\w+)"/.exec(problem.message);
        const advice = unknown ? adviseOn(unknown[1] as string) : undefined;
        problems.push(
          advice === undefined ? problem : { ...problem, message: `${problem.message} ${advice}` },
        );
        if (problems.length === maxProblems) throw enough;
      },
    };
    try {
      graphql.visit(document, (rule as unknown as (context: RuleContext) => ASTVisitor)(context));
    } catch (error) {
      if (error === enough) break;
      throw error;
    }
  }
  return problems;
}

const rulesOf = (graphql: Graphql) => [
  graphql.LoneSchemaDefinitionRule,
  graphql.UniqueOperationTypesRule,
  graphql.UniqueTypeNamesRule,
  graphql.UniqueEnumValueNamesRule,
  graphql.UniqueFieldDefinitionNamesRule,
  graphql.UniqueArgumentDefinitionNamesRule,
  graphql.UniqueDirectiveNamesRule,
  graphql.KnownTypeNamesRule,
  graphql.KnownDirectivesRule,
  graphql.UniqueDirectivesPerLocationRule,
  graphql.PossibleTypeExtensionsRule,
  graphql.UniqueArgumentNamesRule,
  graphql.UniqueInputFieldNamesRule,
];

/** The builder reports faults beyond those rules, in arguments of directives, as text without a place. */
const toUnplaced = (message: string, text: string): GraphqlProblem[] =>
  message.split("\n\n").map((one) => {
    const directive = /"@(\w+)/.exec(one)?.[1];
    const at = directive === undefined ? 0 : text.search(new RegExp(`(?<!directive\\s+)@${directive}\\b`));
    return { message: toMessage(one), rule: "directive-arguments", index: Math.max(0, at) };
  });
