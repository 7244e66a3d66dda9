import { countedHeaders, headersOf } from "./headers.ts";
import { everywhere, problemsOf, refusalsIn } from "./problems.ts";
import { type Content, type Operation, type Parameter, type PathItem, refTo, type Schema } from "./types.ts";

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
        ...(graphiql && { "text/html": { schema: { type: "string" } } }),
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
  GraphqlRequest: {
    type: "object",
    required: ["query"],
    properties: {
      query: { type: "string", description: "The document." },
      operationName: {
        type: ["string", "null"],
        description: "The operation to run, if the document has several.",
      },
      variables: { type: ["object", "null"] },
      extensions: { type: ["object", "null"] },
    },
  },
  GraphqlResult: {
    type: "object",
    properties: {
      data: { type: ["object", "null"], description: "Missing if nothing was executed." },
      errors: { type: "array", minItems: 1, items: refTo("schemas", "GraphqlError") },
    },
  },
  GraphqlError: {
    type: "object",
    required: ["message"],
    properties: {
      message: { type: "string" },
      path: { type: "array", items: { type: ["string", "integer"] }, description: "The field." },
      locations: {
        type: "array",
        items: {
          type: "object",
          required: ["line", "column"],
          properties: {
            line: { type: "integer", minimum: 1 },
            column: { type: "integer", minimum: 1 },
          },
        },
      },
      extensions: {
        type: "object",
        description:
          "As in a problem document: `code` is for programs, `errors` are the places in the input.",
        required: ["code"],
        properties: { code: refTo("schemas", "ErrorCode") },
      },
    },
  },
};

const counting =
  "GraphQL over HTTP. Counts as one request, or as many as it runs tools. Errors of the document and of its fields come with status 200, except to clients that accept application/graphql-response+json or application/graphql+json and nothing was executed: that is 400. The schema has the rest; WebSockets (graphql-transport-ws) are upgraded here too.";

const tags = ["graphql"];
const request = refTo("schemas", "GraphqlRequest");
const result = { schema: refTo("schemas", "GraphqlResult") };

const types: Content = {
  "application/json": result,
  "application/graphql-response+json": result,
  "application/graphql+json": result,
};

const results: Content = {
  ...types,
  "text/event-stream": { schema: { type: "string" } },
};

const parameters: Parameter[] = [
  {
    name: "GraphQL-Require-Preflight",
    in: "header",
    description:
      "Any value. Shows that the request does not come from a page of another site, whose browser would ask first. Required without Authorization.",
    schema: { type: "string" },
  },
  { name: "query", in: "query", required: true, description: "The document.", schema: { type: "string" } },
  {
    name: "operationName",
    in: "query",
    description: "The operation to run, if the document has several.",
    schema: { type: "string" },
  },
  {
    name: "variables",
    in: "query",
    description: "An object, in JSON.",
    schema: { type: "string", contentMediaType: "application/json" },
  },
  {
    name: "extensions",
    in: "query",
    description: "An object, in JSON.",
    schema: { type: "string", contentMediaType: "application/json" },
  },
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
      content: { "text/plain": { schema: { type: "string" } } },
    },
    304: refTo("responses", "NotModified"),
    ...problemsOf(...everywhere, 503),
  },
};
