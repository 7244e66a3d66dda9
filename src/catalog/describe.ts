import type { CatalogTool } from "./catalog.ts";
import { inputSchemaOf } from "./fields.ts";

/** A tool as a list shows it. */
export interface ToolSummary {
  slug: string;
  title: string;
  summary: string;
  category: string;
  version: string;
  deterministic: boolean;
  checkable: boolean;
}

/** A tool with all that is needed to call it. */
export interface ToolDescription extends ToolSummary {
  /** JSON Schema 2020-12. */
  input: Record<string, unknown>;
  examples: CatalogTool["examples"];
}

export const summarize = (tool: CatalogTool): ToolSummary => ({
  slug: tool.slug,
  title: tool.title,
  summary: tool.summary,
  category: tool.category,
  version: tool.version,
  deterministic: tool.deterministic,
  checkable: tool.check !== undefined,
});

export const describe = (tool: CatalogTool): ToolDescription => ({
  ...summarize(tool),
  input: inputSchemaOf(tool.input),
  examples: tool.examples,
});
