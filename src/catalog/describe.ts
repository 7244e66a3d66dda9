import { bodySchemaOf } from "./body-schema.ts";
import type { CatalogTool } from "./catalog.ts";

/** An entry of the list of tools. */
export interface ToolSummary {
  slug: string;
  title: string;
  summary: string;
  category: string;
  /** What `data` is, such as "a JSON Web Token"; not set by tools without a document. */
  accepts?: string;
  /** What people and other tools call it. */
  aliases: string[];
  version: string;
  deterministic: boolean;
  checkable: boolean;
}

/** A tool with everything needed to call it. */
export interface ToolDescription extends ToolSummary {
  /** JSON Schema 2020-12 of a JSON body. */
  input: Record<string, unknown>;
  examples: CatalogTool["examples"];
  /** The tools of a pipeline, in order. Their options are omitted: an operator may have put secrets in them. */
  steps?: string[];
}

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
