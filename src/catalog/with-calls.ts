import { isUtf8 } from "node:buffer";
import type { CatalogTool } from "./catalog.ts";
import { execute } from "./execute.ts";
import type { ToolContext } from "./tool.ts";

/**
 * Adds `call` to a context. The tools that it runs cannot call others, and have a fixed time and no randomness, so that what a tool
 * proposes depends on its input alone.
 * @param get Returns a tool by its slug.
 */
export const withCalls = (
  context: ToolContext,
  get: (slug: string) => CatalogTool | Promise<CatalogTool>,
): ToolContext => ({
  ...context,
  async call(slug, data, fields) {
    const body =
      data === undefined
        ? { kind: "input" as const, input: fields }
        : { kind: "raw" as const, bytes: data, text: isUtf8(data), options: fields };
    return (await execute(await get(slug), { body, form: "bytes", check: false }, fixed)).body;
  },
});

const fixed: ToolContext = { now: () => 0, random: (size) => new Uint8Array(size) };
