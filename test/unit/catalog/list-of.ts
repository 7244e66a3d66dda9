import type { ToolList } from "../../../src/catalog/catalog.ts";
import type { Tool } from "../../../src/catalog/tool.ts";

/** A category of a list of tools that a test has made. */
export const listOf = (tools: readonly Tool[]): ToolList[string] =>
  Object.fromEntries(tools.map((tool) => [tool.slug, async () => ({ default: tool })]));
