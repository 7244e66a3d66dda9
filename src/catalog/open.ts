import { type Catalog, createCatalog, type ToolList } from "./catalog.ts";
import type { PipelineFolder } from "./pipelines.ts";

export interface CatalogOptions {
  /** Slugs of tools that are switched off. */
  disabled?: readonly string[];
  pipelines?: PipelineFolder | undefined;
  /** Reads every pipeline now, so that the operator sees a fault at the start, before any caller does. */
  readPipelines?: boolean;
}

/**
 * Opens the tools and the pipelines of an installation.
 * @throws ToolError for a pipeline whose file has an invalid name; with `readPipelines`, for any fault in a pipeline.
 */
export async function openCatalog(
  tools: ToolList,
  { disabled = [], pipelines, readPipelines = false }: CatalogOptions = {},
): Promise<Catalog> {
  const own = createCatalog(tools, disabled);
  if (pipelines === undefined) return own;
  const { addPipelines } = await import("./pipelines.ts");
  const catalog = addPipelines(own, pipelines, disabled);
  if (readPipelines) for (const slug of catalog.slugs) if (!own.has(slug)) await catalog.get(slug);
  return catalog;
}
