import type { CatalogTool } from "../../catalog/catalog.ts";
import type { Command, Commands } from "./command.ts";
import type { Host } from "./host.ts";
import { findConfigFile } from "./load-settings.ts";
import { findPipelines } from "./pipeline-folder.ts";

/** A command for each tool and pipeline, made when it is called: a tool is loaded by the command that runs it. */
export async function toolCommands(host: Host, toCommand: (tool: CatalogTool) => Command): Promise<Commands> {
  const catalog = await host.program.catalog([], findPipelines(await findConfigFile(host), host.files));
  return Object.fromEntries(
    catalog.slugs.map((slug) => [slug, async () => toCommand(await catalog.get(slug))]),
  );
}
