import { countedHeaders, headersOf } from "./headers.ts";
import { refusalsIn } from "./problems.ts";
import { type Content, type Parameter, type PathItem, refTo, type Schema } from "./types.ts";

/** The path of agents. The Model Context Protocol describes what it serves. */
export const mcpPath = (): Record<string, PathItem> => ({
  "/mcp": {
    parameters: [refTo("parameters", "RequestId")],
    post: {
      operationId: "answerAgent",
      tags: ["agents"],
      summary: "Answer a message of an agent (Model Context Protocol)",
      description:
        "Streamable HTTP without sessions: each POST has one JSON-RPC message, of revision 2026-07-28, 2025-11-25 or 2025-06-18. A call of a tool counts as one request, a pipeline as many as it has steps, and everything else is not counted. Refusals of tools are results with isError.",
      parameters,
      requestBody: { required: true, content: { "application/json": { schema: message } } },
      responses: {
        200: {
          description: "The answer; before it, in an event stream, notifications.",
          headers: headersOf(...countedHeaders),
          content: { ...answer, "text/event-stream": { schema: { type: "string" } } },
        },
        202: { description: "A notification or an answer was taken.", headers: headersOf("X-Request-Id") },
        404: {
          description: "There is no such method (revision 2026-07-28).",
          headers: headersOf("X-Request-Id"),
          content: answer,
        },
        // Requests without a message, or whose sender is not served; the shell sends problem details.
        ...refusalsIn(answer, 400, 401, 403, 408, 413, 415, 421, 429, 500, 503),
      },
    },
  },
});

const message: Schema = {
  type: "object",
  required: ["jsonrpc"],
  properties: {
    jsonrpc: { const: "2.0" },
    id: { type: ["string", "number"] },
    method: { type: "string" },
    params: { type: "object", additionalProperties: true },
  },
  additionalProperties: true,
};

const answer: Content = {
  "application/json": {
    schema: {
      type: "object",
      required: ["jsonrpc", "id"],
      properties: {
        jsonrpc: { const: "2.0" },
        id: { type: ["string", "number", "null"] },
        result: { type: "object", additionalProperties: true },
        error: {
          type: "object",
          required: ["code", "message"],
          properties: {
            code: { type: "integer" },
            message: { type: "string" },
            data: { type: "object", additionalProperties: true },
          },
        },
      },
    },
  },
};

const text: Schema = { type: "string" };

const parameters: Parameter[] = [
  {
    name: "tools",
    in: "query",
    description: "Categories and slugs separated by commas, or all: a tool for each of these tools.",
    schema: text,
  },
  {
    name: "MCP-Protocol-Version",
    in: "header",
    description: "The revision; required by 2026-07-28.",
    schema: text,
  },
  { name: "Mcp-Method", in: "header", description: "The method; required by 2026-07-28.", schema: text },
  {
    name: "Mcp-Name",
    in: "header",
    description: "The name of the tool; required by 2026-07-28.",
    schema: text,
  },
];
