import type { CatalogTool } from "../../../catalog/catalog.ts";
import { categories } from "../../../catalog/categories.ts";
import { type GraphqlPathOptions, graphqlPaths, graphqlSchemas } from "./graphql-paths.ts";
import { componentOf, json } from "./forms.ts";
import { headers, headersOf, parameters } from "./headers.ts";
import { inboxPaths } from "./inbox-paths.ts";
import { inboxSchemas } from "./inbox-schemas.ts";
import { mcpPath } from "./mcp-path.ts";
import { otherPaths, type PathOptions } from "./other-paths.ts";
import { pipelinePath } from "./pipeline-path.ts";
import { findingsResponse, problemResponses } from "./problems.ts";
import { schemas } from "./schemas.ts";
import { resultContent, toolPath } from "./tool-path.ts";
import { webhooks } from "./webhooks.ts";
import { type Components, type OpenapiDocument, type PathItem, type Security } from "./types.ts";

/** The parts of an installation that its document shows. */
export interface DocumentOptions extends PathOptions {
  version: string;
  /** "" or a path that begins with a slash. */
  basePath: string;
  /** Whether callers without a key are served. */
  anonymous: boolean;
  /** Whether accounts can have inboxes. */
  inboxes: boolean;
  /** Undefined if GraphQL is disabled. */
  graphql?: GraphqlPathOptions;
  /** Whether agents are served. */
  mcp?: boolean;
}

/** Returns the OpenAPI document of this installation: its tools and the other public paths. */
export function toOpenapi(tools: readonly CatalogTool[], options: DocumentOptions): OpenapiDocument {
  const { version, basePath } = options;
  const paths = {
    ...Object.fromEntries(tools.map((tool) => [`/api/tools/${tool.slug}`, toolPath(tool)])),
    "/api/pipelines/run": pipelinePath(tools),
    ...(options.inboxes && inboxPaths()),
    ...(options.graphql && graphqlPaths(options.graphql)),
    ...(options.mcp === true && mcpPath()),
    ...otherPaths(options),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "penknife",
      version,
      summary: "Developer tools over HTTP.",
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: basePath || "/", description: "The server that returned this document." }],
    security: toSecurity(options),
    tags: toTags(paths),
    paths,
    webhooks: webhooks(),
    components: toComponents(options),
  };
}

const introduction = `Each tool takes a document, options or both, and answers with one result. No tool opens a socket or a file.

A tool is called with POST at a path of its own, in one of these ways:

- with a JSON body, an object with all fields: \`{"data": "…", "indent": 4}\`;
- with a raw body, the document itself as \`text/plain\` (or \`application/octet-stream\`, if a tool takes bytes), and
  the other fields as query parameters; a list repeats its name.

The answer is \`{"result": "…"}\`, or with \`Accept: text/plain\` or \`application/octet-stream\` the result itself.
Unknown fields are refused. A refusal is a problem document (RFC 9457): \`code\` is for programs, \`detail\` for people.

Calls of tools are counted; each answer says how many are left, and 429 means that the quota is used up.`;

function toSecurity({ anonymous }: DocumentOptions): Security {
  return anonymous ? [{}, { key: [] }] : [{ key: [] }];
}

/** Returns the tags in use, in the order of the paths. */
function toTags(paths: Readonly<Record<string, PathItem>>): OpenapiDocument["tags"] {
  const found = Object.values(paths).flatMap(({ get, post }) => (post ?? get)?.tags ?? []);
  return Array.from(new Set(found), (name) => ({
    name,
    description: otherTags[name] ?? categories[name] ?? `The tools of ${name}.`,
  }));
}

const otherTags: Readonly<Record<string, string>> = {
  agents: "The tools for agents, over the Model Context Protocol.",
  documents: "Descriptions of the server and its tools.",
  events: "The webhooks that accounts receive at their endpoints.",
  graphql: "The tools and the caller's account over one endpoint.",
  inboxes: "URLs at which accounts receive the webhooks of others.",
  operation: "Probes and metrics for operators.",
};

function toComponents(options: DocumentOptions): Components {
  const { anonymous, inboxes, graphql, metricsEnabled, metricsToken } = options;
  return {
    schemas: { ...schemas, ...(inboxes && inboxSchemas), ...(graphql && graphqlSchemas) },
    responses: {
      ToolDescription: {
        description: "The tool.",
        headers: headersOf("X-Request-Id", "ETag"),
        content: json(componentOf("ToolDescription")),
      },
      NotModified: {
        description: "The caller's document is current.",
        headers: headersOf("X-Request-Id", "ETag"),
      },
      Findings: findingsResponse(resultContent),
      ...problemResponses(),
    },
    parameters,
    headers,
    securitySchemes: {
      key: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "svc_live_…",
        description: `An API key that the operator issued${
          graphql
            ? ", or the token of a settings session (svc_sess_…), which signIn over GraphQL returns"
            : ""
        }. ${
          anonymous
            ? "Callers without one are counted by address and have a small quota."
            : "This installation requires one."
        }`,
      },
      ...(metricsEnabled &&
        metricsToken && {
          metricsToken: {
            type: "http",
            scheme: "bearer",
            description: "The token of the metrics (metrics.token).",
          },
        }),
    },
  };
}
