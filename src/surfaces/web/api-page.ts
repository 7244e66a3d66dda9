import { shownCategories } from "../../catalog/categories.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { type HomeParts, toExamples } from "./home.ts";
import { icon, type Markup, markup } from "./markup.ts";

/** The parts of an installation that the page links. */
export interface ApiOptions {
  graphiql: boolean;
  /** Set if agents are served. */
  mcp?: { enabled: boolean };
}

/** `GET /api`: every endpoint of this installation, for people. The document for programs is openapi.json. */
export function toApiPage(parts: HomeParts, endpoints: readonly Endpoint[], options: ApiOptions): Markup {
  const { root, url } = parts;
  const groups = Map.groupBy(endpoints, ({ tag }) => tag);
  return markup`<h1>API</h1>
<p class="lead">Every tool over HTTP: ${parts.tools} tools, ${endpoints.length} endpoints of this server.</p>
<p class="actions"><a class="button primary" href="${root}openapi.json" download="openapi.json">${icon("download")} Download openapi.json</a>
${options.graphiql ? markup`<a class="button" href="${root}graphql">${icon("graph")} GraphiQL</a>\n` : undefined}<a class="button" href="${root}settings/keys">${icon("crypto")} API keys</a></p>
${toExamples(parts)}
${options.mcp?.enabled === true ? toAgents(url) : undefined}<section class="endpoints" aria-labelledby="endpoints">
<h2 id="endpoints">Endpoints</h2>
${[...groups].map(
  ([tag, list]) => markup`<details>
<summary>${nameOf(tag)} <span class="muted">${list.length}</span></summary>
<table>
<thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th></tr></thead>
<tbody>
${list.map(
  ({ method, path, summary }) =>
    markup`<tr><td><code>${method}</code></td><td>${toPath(path, method, root)}</td><td>${summary}</td></tr>\n`,
)}</tbody>
</table>
</details>
`,
)}</section>`;
}

const toAgents = (url: string): Markup => markup`<section aria-labelledby="agents">
<h2 id="agents">Agents</h2>
<p>An assistant that speaks the Model Context Protocol finds and runs the tools at <code>${url}/mcp</code>.</p>
</section>
`;

/** A path; that of a tool leads to its page, which has the call for a terminal. */
function toPath(path: string, method: string, root: string): Markup {
  const [, slug] = /^\/api\/tools\/([\w-]+)$/.exec(path) ?? [];
  const text = markup`<code>${path}</code>`;
  return slug === undefined || method !== "POST" ? text : markup`<a href="${root}tools/${slug}">${text}</a>`;
}

/** The name of a part of the API. */
const nameOf = (tag: string): string =>
  shownCategories.find(({ id }) => id === tag)?.name ?? tag.charAt(0).toUpperCase() + tag.slice(1);
