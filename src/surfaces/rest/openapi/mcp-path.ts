import { anyObject, json, objectOf, parameterIn, text } from "./forms.ts";
import { countedHeaders, headersOf } from "./headers.ts";
import { refusalsIn } from "./problems.ts";
import { type PathItem, refTo } from "./types.ts";

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
      requestBody: { required: true, content: json(message) },
      responses: {
        200: {
          description: "The answer; before it, in an event stream, notifications.",
          headers: headersOf(...countedHeaders),
          content: { ...answer, "text/event-stream": { schema: text() } },
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

const message = objectOf(
  {
    jsonrpc: { const: "2.0" },
    "id?": { type: ["string", "number"] },
    "method?": text(),
    "params?": anyObject(),
  },
  { additionalProperties: true },
);

const answer = json(
  objectOf({
    jsonrpc: { const: "2.0" },
    id: { type: ["string", "number", "null"] },
    "result?": anyObject(),
    "error?": objectOf({ code: { type: "integer" }, message: text(), "data?": anyObject() }),
  }),
);

const parameters = [
  parameterIn(
    "query",
    "tools",
    "Categories and slugs separated by commas, or all: a tool for each of these tools.",
  ),
  parameterIn("header", "MCP-Protocol-Version", "The revision; required by 2026-07-28."),
  parameterIn("header", "Mcp-Method", "The method; required by 2026-07-28."),
  parameterIn("header", "Mcp-Name", "The name of the tool; required by 2026-07-28."),
];
