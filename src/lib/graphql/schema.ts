import type { ASTVisitor, DocumentNode, GraphQLError, GraphQLSchema } from "graphql";
import {
  type Graphql,
  type GraphqlProblem,
  guardDepth,
  nameOf,
  parseDocument,
  toMessage,
  toProblem,
} from "./problem.ts";

/** A schema, as far as there is one, and what is wrong with it. */
export interface ReadSchema {
  schema: GraphQLSchema | undefined;
  problems: GraphqlProblem[];
  /** Whether the document holds operations and fragments only, and is no schema at all. */
  executable: boolean;
}

export function readSchema(graphql: Graphql, text: string): ReadSchema {
  const document = parseDocument(graphql, text);
  if (!("kind" in document)) return { schema: undefined, problems: document, executable: false };
  const operations = document.definitions.filter(graphql.isExecutableDefinitionNode);
  if (operations.length === document.definitions.length)
    return { schema: undefined, problems: [], executable: true };
  let schema: GraphQLSchema | undefined;
  const problems = guardDepth(() => {
    const found = [
      ...operations.map(({ loc }) => ({
        message: "An operation or fragment is no part of a schema.",
        rule: "schema-definitions",
        index: loc?.start ?? 0,
      })),
      ...runRules(graphql, document),
    ];
    if (found.length > 0) return found;
    try {
      schema = graphql.buildASTSchema(document);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof RangeError) throw error;
      return toUnplaced(error.message, text);
    }
    return graphql.validateSchema(schema).map((error) => toProblem(error, "type-system"));
  });
  return { schema, problems, executable: false };
}

/** What one rule needs to know; the library does not export a maker of its own. */
interface RuleContext {
  hideSuggestions: boolean;
  getDocument(): DocumentNode;
  getSchema(): undefined;
  reportError(error: GraphQLError): void;
}

/** One at a time, because an error of the library does not say which rule it is of. */
function runRules(graphql: Graphql, document: DocumentNode): GraphqlProblem[] {
  const problems: GraphqlProblem[] = [];
  for (const rule of rulesOf(graphql)) {
    const context: RuleContext = {
      hideSuggestions: false,
      getDocument: () => document,
      getSchema: () => undefined,
      reportError: (error) => problems.push(toProblem(error, nameOf(graphql, rule))),
    };
    graphql.visit(document, (rule as unknown as (context: RuleContext) => ASTVisitor)(context));
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

/** What the builder finds beyond those rules, arguments of directives, it tells as text without a place. */
const toUnplaced = (message: string, text: string): GraphqlProblem[] =>
  message.split("\n\n").map((one) => {
    const directive = /"@(\w+)/.exec(one)?.[1];
    const at = directive === undefined ? 0 : text.search(new RegExp(`(?<!directive\\s+)@${directive}\\b`));
    return { message: toMessage(one), rule: "directive-arguments", index: Math.max(0, at) };
  });
