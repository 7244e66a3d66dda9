import { ToolError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import type { Step } from "./pipeline.ts";
import type { Tool } from "./tool.ts";

export interface CatalogTool extends Tool {
  /** The folder that the tool lives in. */
  readonly category: string;
  /** What makes a pipeline of it, which the runner runs step by step. */
  readonly steps?: readonly Step[];
}

/** Category → slug → the module with the tool, evaluated by the first that needs it: a start pays for no tool. */
export type ToolList = Readonly<
  Record<string, Readonly<Record<string, () => Promise<{ readonly default: Tool }>>>>
>;

export interface Catalog {
  /** In the order of the list. */
  readonly slugs: readonly string[];
  has(slug: string): boolean;
  /**
   * At once where the tool is loaded; the promise of the first call otherwise.
   * @throws ToolError unknown_tool, with the nearest slug, at once.
   */
  get(slug: string): CatalogTool | Promise<CatalogTool>;
  /** Loads every tool, in the order of the list. */
  all(): Promise<readonly CatalogTool[]>;
}

/** @param disabled Slugs that this installation does not serve, as the configuration was judged; to a caller they do not exist. */
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
      // The next call tries again: what failed may have been the disk.
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

/** @param slugs All that there are, for the nearest. */
export function unknownTool(slug: string, slugs: readonly string[]): ToolError {
  const near = nearest(slug, slugs);
  const hint = near === undefined ? "GET /api/tools lists them all." : `Did you mean ${near}?`;
  return new ToolError("unknown_tool", `There is no tool of that name. ${hint}`, {
    ...(near !== undefined && { nearest: near }),
  });
}
