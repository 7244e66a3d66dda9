import { bodySchemaOf } from "./body-schema.ts";
import type { CatalogTool } from "./catalog.ts";
import type { ToolDescription, ToolSummary } from "./description.ts";

export const summarize = (tool: CatalogTool): ToolSummary => ({
  slug: tool.slug,
  title: tool.title,
  summary: tool.summary,
  category: tool.category,
  ...(tool.accepts !== undefined && { accepts: tool.accepts }),
  aliases: aliasesOf(tool),
  version: tool.version,
  deterministic: tool.deterministic,
  checkable: tool.check !== undefined,
});

export const aliasesOf = ({ aliases }: Pick<CatalogTool, "aliases">): string[] => aliases?.split(", ") ?? [];

export const describe = (tool: CatalogTool): ToolDescription => ({
  ...summarize(tool),
  input: bodySchemaOf(tool.input),
  examples: tool.examples,
  ...(tool.steps !== undefined && { steps: tool.steps.map((step) => step.tool) }),
});
