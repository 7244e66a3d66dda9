import type { Catalog, CatalogTool } from "../../catalog/catalog.ts";
import type { Command, Commands } from "./command.ts";
import type { Host } from "./host.ts";
import { findConfigFile } from "./load-settings.ts";
import { findPipelines } from "./pipeline-folder.ts";

/** A command for each tool and pipeline; a tool is loaded only when its command is. */
export async function toolCommands(host: Host, toCommand: (tool: CatalogTool) => Command): Promise<Commands> {
  const catalog = await openCatalog(host);
  return Object.fromEntries(
    catalog.slugs.map((slug) => [slug, async () => toCommand(await catalog.get(slug))]),
  );
}

/** The tools, and the pipelines beside the configuration file that the line names. */
export const openCatalog = async (host: Host): Promise<Catalog> =>
  host.program.catalog([], findPipelines(await findConfigFile(host), host.files));
