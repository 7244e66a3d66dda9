import type { CatalogTool } from "./catalog.ts";
import { summarize } from "./describe.ts";
import type { ToolSummary } from "./description.ts";
import { valuesOf } from "./fields.ts";
import { invalidField } from "./input.ts";
import { maxQuery, searchOf } from "./search.ts";

/**
 * Finds tools by what people call them: the slug, the title, aliases such as `md5sum`, and words of what they do; the best
 * first.
 * @throws ToolError invalid_input for a query that is too long.
 */
export function findTools(tools: readonly CatalogTool[], query: string): CatalogTool[] {
  return findNamed(tools, query).found;
}

export interface NamedTools {
  found: CatalogTool[];
  /** Whether no tool is called so: those that are found, if any, are only the nearest. */
  onlyNearest: boolean;
}

/**
 * Finds tools as `findTools` does, and says whether they are only the nearest.
 * @param category Of which category; of all by default.
 */
export function findNamed(tools: readonly CatalogTool[], query: string, category?: string): NamedTools {
  if (query.length > maxQuery)
    throw invalidField("search", `Must have at most ${maxQuery} characters, not ${query.length}.`);
  const found = searchOf(
    tools,
    valuesOf,
  )(query).filter(({ tool }) => (category ?? tool.category) === tool.category);
  return { found: found.map(({ tool }) => tool), onlyNearest: found.every(({ isNear }) => isNear) };
}

/** The answer to a search as JSON, over REST and on the command line. */
export const toFoundList = ({
  found,
  onlyNearest,
}: NamedTools): { items: ToolSummary[]; onlyNearest: boolean } => ({
  items: found.map(summarize),
  onlyNearest,
});
