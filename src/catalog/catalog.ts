import { ToolError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import type { Step } from "./pipeline.ts";
import type { Tool } from "./tool.ts";

export interface CatalogTool extends Tool {
  /** The folder of the tool. */
  readonly category: string;
  /** The steps, if this is a pipeline; the runner runs them one by one. */
  readonly steps?: readonly Step[];
}

/** Category → slug → loader of the tool's module. A module is evaluated at its first use, so no tool slows the start. */
export type ToolList = Readonly<
  Record<string, Readonly<Record<string, () => Promise<{ readonly default: Tool }>>>>
>;

export interface Catalog {
  /** In the order of the list. */
  readonly slugs: readonly string[];
  has(slug: string): boolean;
  /**
   * Returns the tool if it is loaded, otherwise a promise that all callers share.
   * @throws ToolError unknown_tool with the nearest slug, synchronously.
   */
  get(slug: string): CatalogTool | Promise<CatalogTool>;
  /** Loads every tool, in the order of the list. */
  all(): Promise<readonly CatalogTool[]>;
}

/** @param disabled Slugs that this installation does not serve, validated with the configuration; callers get unknown_tool. */
export function createCatalog(list: ToolList, disabled: readonly string[] = []): Catalog {
  const loaders = toLoaders(list);
  for (const slug of disabled) loaders.delete(slug);
  const slugs = [...loaders.keys()];
  const tools = new Map<string, CatalogTool | Promise<CatalogTool>>();

  async function load(slug: string, loader: () => Promise<CatalogTool>): Promise<CatalogTool> {
    try {
      const tool = await loader();
      tools.set(slug, tool);
      return tool;
    } catch (error) {
      // The next call tries again, because the disk may have failed.
      tools.delete(slug);
      throw error;
    }
  }

  function get(slug: string): CatalogTool | Promise<CatalogTool> {
    const known = tools.get(slug);
    if (known !== undefined) return known;
    const loader = loaders.get(slug);
    if (loader === undefined) throw unknownTool(slug, slugs);
    const loading = load(slug, loader);
    tools.set(slug, loading);
    return loading;
  }

  return { slugs, has: (slug) => loaders.has(slug), get, all: () => Promise.all(slugs.map(get)) };
}

function toLoaders(list: ToolList): Map<string, () => Promise<CatalogTool>> {
  const loaders = new Map<string, () => Promise<CatalogTool>>();
  for (const [category, tools] of Object.entries(list)) {
    for (const [slug, load] of Object.entries(tools)) {
      if (loaders.has(slug)) throw new Error(`Two tools are called ${slug}`);
      loaders.set(slug, async () => {
        const { default: tool } = await load();
        if (tool.slug !== slug) throw new Error(`${slug} is listed, but the tool is called ${tool.slug}`);
        return { ...tool, category };
      });
    }
  }
  return loaders;
}

/** @param slugs All known slugs, to suggest the nearest. */
export function unknownTool(slug: string, slugs: readonly string[]): ToolError {
  const near = nearest(slug, slugs);
  const hint = near === undefined ? "GET /api/tools lists them all." : `Did you mean ${near}?`;
  return new ToolError("unknown_tool", `There is no tool of that name. ${hint}`, {
    ...(near !== undefined && { nearest: near }),
  });
}
