import type { DocumentNode, GraphQLError } from "graphql";
import { load } from "../load.ts";

export type Graphql = Awaited<ReturnType<typeof loadGraphql>>;

export const loadGraphql = () => load("graphql");

export interface GraphqlProblem {
  message: string;
  rule: string;
  /** In UTF-16 code units of the faulty document. */
  index: number;
}

/** More than any hand-written schema has, few enough for memory. */
const maxTokens = 500_000;
export const maxProblems = 100;

/** Most names of types or fields among which the library looks for some like an unknown one: it compares it with each of them. */
export const maxLikeNames = 2000;

/** Returns the document, or why it is not GraphQL. */
export function parseDocument(
  graphql: Graphql,
  text: string,
  limit: number = maxTokens,
): DocumentNode | GraphqlProblem[] {
  try {
    const source = new graphql.Source(text);
    const document = graphql.parse(source, { maxTokens: limit });
    // Each error of the library counts the lines in front of its nodes, which takes seconds in a long text; we use positions only.
    source.body = "";
    const empty = findEmptyBraces(graphql, document);
    return empty === undefined ? document : [empty];
  } catch (error) {
    if (error instanceof graphql.GraphQLError) return [toProblem(error, "syntax")];
    // The parser is recursive, and { a { a { a … takes two characters per level.
    if (error instanceof RangeError) return [tooDeep];
    throw error;
  }
}

/** The library reads braces without a selection, which the grammar does not have: section 2.4 of the specification of October 2021. */
function findEmptyBraces(graphql: Graphql, document: DocumentNode): GraphqlProblem | undefined {
  const definitions = document.definitions.filter(graphql.isExecutableDefinitionNode);
  let found: GraphqlProblem | undefined;
  if (definitions.length === 0) return found;
  graphql.visit(
    { ...document, definitions },
    {
      SelectionSet({ selections, loc }) {
        if (selections.length > 0) return undefined;
        const message = "There is no field between these braces.";
        found = { message, rule: "empty-selection", index: loc?.start ?? 0 };
        return graphql.BREAK;
      },
    },
  );
  return found;
}

/** The validation rules are recursive too. */
export function guardDepth(work: () => GraphqlProblem[]): GraphqlProblem[] {
  try {
    return work().slice(0, maxProblems);
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep];
    throw error;
  }
}

const tooDeep: GraphqlProblem = { message: "The document is nested too deeply.", rule: "depth", index: 0 };

export const toProblem = (error: GraphQLError, rule: string): GraphqlProblem => ({
  message: toMessage(error.message),
  rule,
  index: error.positions?.[0] ?? 0,
});

/** Longest message: names and literals in it can have any length. */
const maxMessage = 300;

export function toMessage(message: string): string {
  // The library stops comparing at a limit of its own, without details.
  if (message === "Validation aborted.")
    return "Too many fields may conflict with one another; select fewer at once.";
  return message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
}

/** KnownTypeNamesRule becomes known-type-names. */
export function nameOf(graphql: Graphql, rule: unknown): string {
  const name = Object.entries(graphql).find(([, value]) => value === rule)?.[0] ?? "document";
  return name
    .replace(/Rule$/, "")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-")
    .toLowerCase();
}
