import type { GraphQLSchema } from "graphql";
import { DocumentFault } from "../fault.ts";
import {
  type Graphql,
  type GraphqlProblem,
  guardDepth,
  maxLikeNames,
  maxProblems,
  nameOf,
  parseDocument,
  toProblem,
} from "./problem.ts";
import type { Federation } from "./federation.ts";
import { readSchema } from "./schema.ts";

const notSchema: GraphqlProblem = { message: "It is not a schema.", rule: "syntax", index: 0 };

/**
 * Validates the operations and fragments of a document against a schema.
 * @throws DocumentFault with an index of the schema if the schema is at fault.
 */
export function validateOperations(
  graphql: Graphql,
  text: string,
  schemaText: string,
  federation: Federation,
): GraphqlProblem[] {
  const { schema, problems } = readSchema(graphql, schemaText, federation);
  const [problem = notSchema] = problems;
  if (schema === undefined || problems.length > 0)
    throw new DocumentFault(problem.message, { index: problem.index }, problem.rule);
  const document = parseDocument(graphql, text);
  if (!("kind" in document)) return document;
  const options = { maxErrors: maxProblems, hideSuggestions: hasManyNames(schema) };
  // One rule at a time, because an error of the library does not name its rule.
  return guardDepth(() =>
    graphql.specifiedRules.flatMap((rule) =>
      graphql
        .validate(schema, document, [rule], options)
        .map((error) => toProblem(error, nameOf(graphql, rule))),
    ),
  );
}

function hasManyNames(schema: GraphQLSchema): boolean {
  const types = Object.values(schema.getTypeMap());
  const fieldsOf = (type: (typeof types)[number]): number =>
    "getFields" in type ? Object.keys(type.getFields()).length : 0;
  return types.length > maxLikeNames || types.some((type) => fieldsOf(type) > maxLikeNames);
}
