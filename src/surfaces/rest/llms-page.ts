import { aliasesOf } from "../../catalog/describe.ts";
import type { CatalogTool } from "../../catalog/catalog.ts";

/** The parts of an installation that the page shows. */
export interface LlmsOptions {
  basePath: string;
  /** Set if GraphQL is served. */
  graphql?: object;
  /** Set if agents are served. */
  mcp?: object;
}

/** Names of a tool besides its slug; the search knows more. */
const shownNames = 8;

/** The instructions for calls, then one line for each tool. */
export function toPage(tools: readonly CatalogTool[], { basePath, graphql, mcp }: LlmsOptions): string {
  const url = `${basePath}/api/tools`;
  const lines = tools.map((tool) => {
    const names = aliasesOf(tool).slice(0, shownNames).join(", ");
    return `- [${tool.slug}](${url}/${tool.slug}): ${tool.summary}${names === "" ? "" : ` (${names})`}`;
  });
  const overGraphql =
    graphql === undefined ? "" : `- The same tools over GraphQL, for a program: POST ${basePath}/graphql.\n`;
  const overMcp =
    mcp === undefined
      ? ""
      : `- The same tools over the Model Context Protocol, for an agent: ${basePath}/mcp.\n`;
  return `# penknife

> Developer tools over HTTP: each takes a document, options or both and answers with one result. No tool opens a socket
> or a file.

- To call a tool: POST ${url}/<slug> with Content-Type: application/json and its fields as one object, such as
  {"data": "…"}. The answer is {"result": "…"}, always a string; structured results are JSON text in it.
- A field whose schema has "anyOf" takes text, or the JSON value itself: {"data": "…", "schema": {"type": "object"}}.
- To run several tools in one call, each on the result of the one before: POST ${basePath}/api/pipelines/run with
  {"data": "…", "steps": [{"tool": "<slug>", "with": {…}}]}. Each step counts as one request.
- Send your key, if you have one, as Authorization: Bearer svc_live_…
- To find a tool by any name: GET ${url}?search=<words>. This is not counted.
- To learn the fields of a tool (JSON Schema 2020-12) and see examples: GET ${url}/<slug>. This is not counted.
- All of it as OpenAPI 3.1, for a program: GET ${basePath}/openapi.json.
${overMcp}${overGraphql}- Unknown fields are refused. A refusal is application/problem+json: "code" and "detail" say what is wrong, "errors" where.
- With ?check=true a validator or a formatter returns a report: 200 if it has no errors, 422 otherwise.

## Tools

${lines.join("\n")}
`;
}
