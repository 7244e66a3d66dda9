import type { RawBody } from "./call.ts";
import type { Step } from "./pipeline.ts";
import { fromStrings, parseInput } from "./input.ts";
import type { BlockRun, Tool, ToolContext } from "./tool.ts";

/**
 * Starts a run of a tool on a document that arrives in blocks. Undefined if the tool needs the whole document, always or for
 * these options.
 * @throws ToolError for options that the tool refuses.
 */
export async function openBlocks(
  tool: Tool,
  { options, check }: Pick<RawBody<[string, string][] | Step["with"]>, "options"> & { check: boolean },
  context: ToolContext,
): Promise<BlockRun | undefined> {
  // In the other kinds of check mode the result is compared with the whole document.
  if (tool.runBlocks === undefined || (check && tool.check !== "report")) return undefined;
  const given = Array.isArray(options) ? fromStrings(tool, options) : options;
  const { data: _, ...fields } = parseInput(tool, { ...given, data: "" });
  return tool.runBlocks(fields, context);
}
