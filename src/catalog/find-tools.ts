import type { CatalogTool } from "./catalog.ts";
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

/** Finds tools as `findTools` does, and says whether they are only the nearest: no word of the query is a word of theirs. */
export function findNamed(
  tools: readonly CatalogTool[],
  query: string,
): { found: CatalogTool[]; onlyNear: boolean } {
  if (query.length > maxQuery)
    throw invalidField("search", `Must have at most ${maxQuery} characters, not ${query.length}.`);
  const found = searchOf(tools, valuesOf)(query);
  return { found: found.map(({ tool }) => tool), onlyNear: found.every(({ isNear }) => isNear) };
}
