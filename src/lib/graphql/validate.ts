import {
  type Graphql,
  type GraphqlProblem,
  guardDepth,
  maxProblems,
  nameOf,
  parseDocument,
  toProblem,
} from "./problem.ts";
import { readSchema } from "./schema.ts";

/** The schema is at fault, an option and not the document. */
export class GraphqlSchemaError extends Error {
  readonly problem: GraphqlProblem;

  constructor(problem: GraphqlProblem) {
    super(problem.message);
    this.name = "GraphqlSchemaError";
    this.problem = problem;
  }
}

/**
 * What is wrong with the operations and fragments of a document, by a schema.
 * @throws GraphqlSchemaError where the schema is itself at fault.
 */
export function validateOperations(graphql: Graphql, text: string, schemaText: string): GraphqlProblem[] {
  const { schema, problems } = readSchema(graphql, schemaText);
  const [problem] = problems;
  if (schema === undefined || problem !== undefined)
    throw new GraphqlSchemaError(problem ?? { message: "It is no schema.", rule: "syntax", index: 0 });
  const document = parseDocument(graphql, text);
  if (!("kind" in document)) return document;
  // One rule at a time: an error of the library does not say which rule it is of.
  return guardDepth(() =>
    graphql.specifiedRules.flatMap((rule) =>
      graphql
        .validate(schema, document, [rule], { maxErrors: maxProblems })
        .map((error) => toProblem(error, nameOf(graphql, rule))),
    ),
  );
}
