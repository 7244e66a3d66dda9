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
  if (query.length > maxQuery)
    throw invalidField("search", `Must have at most ${maxQuery} characters, not ${query.length}.`);
  return searchOf(tools, valuesOf)(query).map(({ tool }) => tool);
}
