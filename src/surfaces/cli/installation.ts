import type { Catalog, CatalogTool } from "../../catalog/catalog.ts";
import type { Command, Commands } from "./command.ts";
import type { ConfigSearch } from "../../config.ts";
import type { Host } from "./host.ts";
import { configOf, findConfigFile } from "./load-settings.ts";
import { findPipelines } from "./pipeline-folder.ts";

/** The installation on which a command line runs: its configuration file, read once, and the one catalogue. */
export interface Installation {
  /** The value of `--config`, if the line has one. */
  readonly named: string | undefined;
  readonly config: ConfigSearch;
  /** All tools, disabled ones included, and the pipelines beside the configuration file. */
  readonly catalog: Catalog;
}

export async function openInstallation(
  host: Host,
  named: string | undefined = configOf(host.line ?? []),
): Promise<Installation> {
  const config = await findConfigFile(named, host);
  const catalog = await host.program.catalog([], findPipelines(config.file?.path, host.files));
  return { named, config, catalog };
}

/** Returns a command for each tool and pipeline; a tool is loaded by the command that runs it. */
export async function toolCommands(
  host: Host,
  toCommand: (tool: CatalogTool, installation: Installation) => Command,
): Promise<Commands> {
  const installation = await openInstallation(host);
  const { catalog } = installation;
  return Object.fromEntries(
    catalog.slugs.map((slug) => [slug, async () => toCommand(await catalog.get(slug), installation)]),
  );
}
