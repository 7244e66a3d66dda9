import type { CatalogTool } from "../../catalog/catalog.ts";
import type { Command, Commands } from "./command.ts";
import type { Host } from "./host.ts";

/** A command for each tool, made when it is called: a tool is loaded by the command that runs it. */
export async function toolCommands(
  { program }: Host,
  toCommand: (tool: CatalogTool) => Command,
): Promise<Commands> {
  const catalog = await program.catalog([]);
  return Object.fromEntries(
    catalog.slugs.map((slug) => [slug, async () => toCommand(await catalog.get(slug))]),
  );
}
