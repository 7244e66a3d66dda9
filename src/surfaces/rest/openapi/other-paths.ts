import { maxQuery } from "../../../catalog/search.ts";
import { errorCodes } from "../../../catalog/errors.ts";
import { anyObject, componentOf, json, objectOf, parameterIn, text } from "./forms.ts";
import { headersOf } from "./headers.ts";
import { everywhere, problemsOf } from "./problems.ts";
import { type Content, type Operation, type PathItem, refTo, type Schema } from "./types.ts";

/** The configuration that affects the paths. */
export interface PathOptions {
  metricsEnabled: boolean;
  /** Whether the metrics require a token of their own. */
  metricsToken: boolean;
}

/** All public paths except tools. A new route of this surface must be added here. */
export const otherPaths = ({ metricsEnabled, metricsToken }: PathOptions): Record<string, PathItem> => ({
  "/api/tools": {
    get: toDocumentOperation({
      operationId: "listTools",
      summary: "List all tools, or find some",
      description:
        "The tools of this installation, in a fixed order; with a search the best first, and `onlyNearest` says whether no tool is called so. Not counted.",
      parameters: [
        parameterIn(
          "query",
          "search",
          "What people call it, such as md5sum or pretty print json.",
          text(undefined, { maxLength: maxQuery }),
        ),
      ],
      content: json(componentOf("ToolList")),
    }),
  },
  "/api/events": {
    get: toDocumentOperation({
      operationId: "listEvents",
      tags: ["events"],
      summary: "List all event types",
      description:
        "The events that endpoints receive: each type with its schema and an example. Not counted.",
      content: json(componentOf("EventList")),
    }),
  },
  "/openapi.json": {
    get: toDocumentOperation({
      operationId: "readOpenapi",
      summary: "Return this document",
      description: "The OpenAPI document of this installation. Not counted.",
      content: json(anyObject()),
    }),
  },
  "/llms.txt": {
    get: toDocumentOperation({
      operationId: "readLlms",
      summary: "Describe the catalogue for language models",
      description: "Instructions for calls, and one line for each tool (llmstxt.org). Not counted.",
      content: { "text/plain": { schema: text() } },
    }),
  },
  "/problems/{code}": { get: explainProblem },
  "/healthz": {
    get: toProbe({
      operationId: "checkHealth",
      summary: "Check that the process runs",
      description: "Does not check the store. Served with and without the base path.",
      status: { const: "ok" },
    }),
  },
  "/readyz": {
    get: toProbe({
      operationId: "checkReadiness",
      summary: "Check that the server can serve requests",
      description:
        "503 if the store cannot be read or a revocation could not be written; `degraded`, with a reason, if its disk is nearly full or counts are kept in memory. Served with and without the base path.",
      status: { enum: ["ready", "degraded"] },
      reason: text(),
      mayFail: true,
    }),
  },
  ...(metricsEnabled && { "/metrics": { get: toMetrics(metricsToken) } }),
});

const tag = { documents: ["documents"], operation: ["operation"] };

interface DocumentOperation extends Pick<Operation, "operationId" | "summary" | "description"> {
  tags?: string[];
  parameters?: NonNullable<Operation["parameters"]>;
  content: Content;
}

function toDocumentOperation({ content, parameters = [], ...texts }: DocumentOperation): Operation {
  return {
    tags: tag.documents,
    ...texts,
    security: [],
    parameters: [...parameters, refTo("parameters", "RequestId"), refTo("parameters", "IfNoneMatch")],
    responses: {
      200: { description: "The document.", headers: headersOf("X-Request-Id", "ETag"), content },
      304: refTo("responses", "NotModified"),
      ...problemsOf(...everywhere, 503),
    },
  };
}

const explanation = objectOf({
  type: text(undefined, { format: "uri-reference" }),
  code: componentOf("ErrorCode"),
  status: { type: "integer" },
  title: text(),
  explain: text(),
});

const explainProblem: Operation = {
  operationId: "explainProblem",
  tags: tag.documents,
  summary: "Explain a problem",
  description: "The page behind the `type` of a problem. Not counted.",
  security: [],
  parameters: [
    refTo("parameters", "RequestId"),
    parameterIn(
      "path",
      "code",
      "The code of the problem.",
      text(undefined, { enum: Object.keys(errorCodes) }),
    ),
  ],
  responses: {
    200: {
      description: "The explanation.",
      headers: headersOf("X-Request-Id"),
      content: {
        "text/html": { schema: text() },
        "text/plain": { schema: text() },
        ...json(explanation),
      },
    },
    ...problemsOf(...everywhere, 404, 503),
  },
};

interface Probe extends Pick<Operation, "operationId" | "summary" | "description"> {
  /** The schema of it. */
  status: Schema;
  /** The schema of a sentence beside it. */
  reason?: Schema;
  mayFail?: boolean;
}

function toProbe({ status, reason, mayFail = false, ...texts }: Probe): Operation {
  const schema = objectOf({ status, ...(reason !== undefined && { "reason?": reason }) });
  return {
    ...texts,
    tags: tag.operation,
    security: [],
    parameters: [refTo("parameters", "RequestId")],
    responses: {
      200: {
        description: "Yes.",
        headers: headersOf("X-Request-Id"),
        content: json(schema),
      },
      ...problemsOf(...everywhere, ...(mayFail ? [503 as const] : [])),
    },
  };
}

const toMetrics = (token: boolean): Operation => ({
  operationId: "readMetrics",
  tags: tag.operation,
  summary: "Return the metrics for Prometheus",
  description: "Contains no keys and no addresses. Served with and without the base path.",
  security: token ? [{ metricsToken: [] }] : [],
  parameters: [refTo("parameters", "RequestId")],
  responses: {
    200: {
      description: "The metrics.",
      headers: headersOf("X-Request-Id"),
      content: { "text/plain": { schema: text() } },
    },
    ...problemsOf(...everywhere, ...(token ? [401 as const, 429 as const] : [])),
  },
});
