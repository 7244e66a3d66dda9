import { type Catalog, createCatalog, type ToolList } from "./catalog.ts";
import type { PipelineFolder } from "./pipelines.ts";

/**
 * The tools of an installation, and its pipelines.
 * @param disabled Slugs that are not served.
 * @throws ToolError for what is wrong with a pipeline: an operator is told at the start, not a caller some day.
 */
export async function openCatalog(
  tools: ToolList,
  disabled: readonly string[],
  pipelines: PipelineFolder | undefined,
): Promise<Catalog> {
  const own = createCatalog(tools, disabled);
  if (pipelines === undefined) return own;
  const { addPipelines } = await import("./pipelines.ts");
  const catalog = addPipelines(own, pipelines, disabled);
  for (const slug of catalog.slugs) if (!own.has(slug)) await catalog.get(slug);
  return catalog;
}
