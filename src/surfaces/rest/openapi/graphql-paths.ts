import {
  componentOf,
  integer,
  listOf,
  objectOf,
  objectOrNull,
  parameterIn,
  text,
  textOrNull,
} from "./forms.ts";
import { countedHeaders, headersOf } from "./headers.ts";
import { everywhere, problemsOf, refusalsIn } from "./problems.ts";
import { type Content, type Operation, type PathItem, refTo, type Schema } from "./types.ts";

/** The GraphQL features of an installation. */
export interface GraphqlPathOptions {
  introspection: boolean;
  graphiql: boolean;
}

/** The paths of GraphQL. Its own schema describes what they serve. */
export const graphqlPaths = ({ introspection, graphiql }: GraphqlPathOptions): Record<string, PathItem> => ({
  "/graphql": {
    parameters: [refTo("parameters", "RequestId")],
    get: {
      ...toOperation("queryGraphql", "Run a query, or a subscription as a stream", {
        ...results,
        ...(graphiql && { "text/html": { schema: text() } }),
      }),
      description: `${counting} A document runs with Authorization, with Sec-Fetch-Site: same-origin or with GraphQL-Require-Preflight; without any of them the answer is 403.`,
      parameters,
    },
    post: {
      ...toOperation("runGraphql", "Run a query, a mutation, or a subscription as a stream", results),
      requestBody: {
        required: true,
        content: { "application/json": { schema: request }, "application/graphql+json": { schema: request } },
      },
    },
  },
  ...(introspection && { "/graphql/schema.graphql": { get: readSchema } }),
});

export const graphqlSchemas: Record<string, Schema> = {
  GraphqlRequest: objectOf({
    query: text("The document."),
    "operationName?": textOrNull("The operation to run, if the document has several."),
    "variables?": objectOrNull(),
    "extensions?": objectOrNull(),
  }),
  GraphqlResult: objectOf({
    "data?": objectOrNull("Missing if nothing was executed."),
    "errors?": { ...listOf(componentOf("GraphqlError")), minItems: 1 },
  }),
  GraphqlError: objectOf({
    message: text(),
    "path?": listOf({ type: ["string", "integer"] }, "The field."),
    "locations?": listOf(objectOf({ line: integer(1), column: integer(1) })),
    "extensions?": objectOf(
      { code: componentOf("ErrorCode") },
      {
        description:
          "As in a problem document: `code` is for programs, `errors` are the places in the input.",
      },
    ),
  }),
};

const counting =
  "GraphQL over HTTP. Counts as one request, or as many as it runs tools. Errors of the document and of its fields come with status 200, except to clients that accept application/graphql-response+json or application/graphql+json and nothing was executed: that is 400. The schema has the rest; WebSockets (graphql-transport-ws) are upgraded here too.";

const tags = ["graphql"];
const request = componentOf("GraphqlRequest");
const result = { schema: componentOf("GraphqlResult") };

const types: Content = {
  "application/json": result,
  "application/graphql-response+json": result,
  "application/graphql+json": result,
};

const results: Content = {
  ...types,
  "text/event-stream": { schema: text() },
};

const jsonText = text(undefined, { contentMediaType: "application/json" });

const parameters = [
  parameterIn(
    "header",
    "GraphQL-Require-Preflight",
    "Any value. Shows that the request does not come from a page of another site, whose browser would ask first. Required without Authorization.",
  ),
  { ...parameterIn("query", "query", "The document."), required: true },
  parameterIn("query", "operationName", "The operation to run, if the document has several."),
  parameterIn("query", "variables", "An object, in JSON.", jsonText),
  parameterIn("query", "extensions", "An object, in JSON.", jsonText),
];

/** Requests refused before their document is read get a status; the shell sends problem details. */
const refusals = refusalsIn(types, 400, 401, 403, 406, 408, 413, 415, 421, 429, 500, 503);

function toOperation(operationId: string, summary: string, content: Content): Operation {
  return {
    operationId,
    tags,
    summary,
    description: counting,
    responses: {
      200: { description: "The result.", headers: headersOf(...countedHeaders), content },
      ...refusals,
    },
  };
}

const readSchema: Operation = {
  operationId: "readGraphqlSchema",
  tags,
  summary: "Return the GraphQL schema",
  description: "In GraphQL's own language. Not counted.",
  security: [],
  parameters: [refTo("parameters", "RequestId"), refTo("parameters", "IfNoneMatch")],
  responses: {
    200: {
      description: "The schema.",
      headers: headersOf("X-Request-Id", "ETag"),
      content: { "text/plain": { schema: text() } },
    },
    304: refTo("responses", "NotModified"),
    ...problemsOf(...everywhere, 503),
  },
};
