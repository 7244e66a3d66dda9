import { bodySchemaOf } from "../../catalog/body-schema.ts";
import type { CatalogTool } from "../../catalog/catalog.ts";
import { invalidField } from "../../catalog/input.ts";
import { nearest } from "../../lib/nearest.ts";
import { runOne, type RunDeps } from "./compact-tools.ts";
import type { AgentTool } from "./tool.ts";

/**
 * Each tool of the catalogue as a tool of its own, with its schema.
 * @param selection Categories and slugs separated by commas, or "all".
 * @throws ToolError invalid_input
 */
export function flatTools(deps: RunDeps, tools: readonly CatalogTool[], selection: string): AgentTool[] {
  const names = new Set(selection.split(",").map((name) => name.trim()));
  const known = new Set(["all", ...tools.flatMap(({ category, slug }) => [category, slug])]);
  for (const name of names) if (!known.has(name)) throw unknownSelection(name, known);
  return tools
    .filter(({ category, slug }) => names.has("all") || names.has(category) || names.has(slug))
    .map((tool) => flatTool(deps, tool));
}

function unknownSelection(name: string, known: Iterable<string>): Error {
  const near = nearest(name, known);
  const hint = near === undefined ? "GET /api/tools lists both." : `Did you mean ${near}?`;
  return invalidField("tools", `Must be "all", or categories and slugs separated by commas. ${hint}`);
}

const flatTool = (deps: RunDeps, tool: CatalogTool): AgentTool => ({
  definition: {
    name: tool.slug,
    title: tool.title,
    description: tool.summary,
    inputSchema: toSchema(tool),
    annotations: { readOnlyHint: true, idempotentHint: tool.deterministic, openWorldHint: false },
  },
  run: ({ bytes }, ticket, peer) => runOne(deps, tool, bytes, ticket, peer),
});

/** Leaves out what costs tokens and tells a model nothing: the dialect, and patterns, which the tool checks itself. */
function toSchema({ input }: CatalogTool): object {
  const { $schema: _, ...schema } = bodySchemaOf(input);
  // A field may be called pattern, and then has an object.
  const withoutPatterns = (key: string, value: unknown): unknown =>
    key === "pattern" && typeof value === "string" ? undefined : value;
  return JSON.parse(JSON.stringify(schema, withoutPatterns)) as object;
}
