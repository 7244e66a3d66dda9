import { maxQuery } from "../../../catalog/search.ts";
import { errorCodes } from "../../../catalog/errors.ts";
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
        {
          name: "search",
          in: "query",
          required: false,
          description: "What people call it, such as md5sum or pretty print json.",
          schema: { type: "string", maxLength: maxQuery },
        },
      ],
      content: { "application/json": { schema: refTo("schemas", "ToolList") } },
    }),
  },
  "/api/events": {
    get: toDocumentOperation({
      operationId: "listEvents",
      tags: ["events"],
      summary: "List all event types",
      description:
        "The events that endpoints receive: each type with its schema and an example. Not counted.",
      content: { "application/json": { schema: refTo("schemas", "EventList") } },
    }),
  },
  "/openapi.json": {
    get: toDocumentOperation({
      operationId: "readOpenapi",
      summary: "Return this document",
      description: "The OpenAPI document of this installation. Not counted.",
      content: { "application/json": { schema: { type: "object", additionalProperties: true } } },
    }),
  },
  "/llms.txt": {
    get: toDocumentOperation({
      operationId: "readLlms",
      summary: "Describe the catalogue for language models",
      description: "Instructions for calls, and one line for each tool (llmstxt.org). Not counted.",
      content: { "text/plain": { schema: { type: "string" } } },
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
      reason: { type: "string" },
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

const explanation: Schema = {
  type: "object",
  required: ["type", "code", "status", "title", "explain"],
  properties: {
    type: { type: "string", format: "uri-reference" },
    code: refTo("schemas", "ErrorCode"),
    status: { type: "integer" },
    title: { type: "string" },
    explain: { type: "string" },
  },
};

const explainProblem: Operation = {
  operationId: "explainProblem",
  tags: tag.documents,
  summary: "Explain a problem",
  description: "The page behind the `type` of a problem. Not counted.",
  security: [],
  parameters: [
    refTo("parameters", "RequestId"),
    {
      name: "code",
      in: "path",
      required: true,
      description: "The code of the problem.",
      schema: { type: "string", enum: Object.keys(errorCodes) },
    },
  ],
  responses: {
    200: {
      description: "The explanation.",
      headers: headersOf("X-Request-Id"),
      content: {
        "text/html": { schema: { type: "string" } },
        "text/plain": { schema: { type: "string" } },
        "application/json": { schema: explanation },
      },
    },
    ...problemsOf(...everywhere, 404, 503),
  },
};

interface Probe extends Pick<Operation, "operationId" | "summary" | "description"> {
  /** The schema of it. */
  status: object;
  /** The schema of a sentence beside it. */
  reason?: object;
  mayFail?: boolean;
}

function toProbe({ status, reason, mayFail = false, ...texts }: Probe): Operation {
  const properties = { status, ...(reason !== undefined && { reason }) };
  const schema = { type: "object", required: ["status"], properties };
  return {
    ...texts,
    tags: tag.operation,
    security: [],
    parameters: [refTo("parameters", "RequestId")],
    responses: {
      200: {
        description: "Yes.",
        headers: headersOf("X-Request-Id"),
        content: { "application/json": { schema } },
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
      content: { "text/plain": { schema: { type: "string" } } },
    },
    ...problemsOf(...everywhere, ...(token ? [401 as const, 429 as const] : [])),
  },
});
