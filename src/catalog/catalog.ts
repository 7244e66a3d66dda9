import { lazy } from "../lib/lazy.ts";
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
   * @throws ToolError unknown_tool with the slugs that may be meant.
   */
  get(slug: string): CatalogTool | Promise<CatalogTool>;
  /** Returns up to three slugs that a name may stand for, the best first. */
  suggest(name: string): Promise<readonly string[]>;
  /** Loads every tool, in the order of the list, and returns the same list each time. */
  all(): Promise<readonly CatalogTool[]>;
}

/**
 * @param disabled Slugs that this installation does not serve, validated with the configuration; callers get unknown_tool.
 * @param searches Whether an unknown name is looked up among the aliases, which loads every tool; a worker must not.
 */
export function createCatalog(list: ToolList, disabled: readonly string[] = [], searches = true): Catalog {
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
    if (loader === undefined) return refuse(slug);
    const loading = load(slug, loader);
    tools.set(slug, loading);
    return loading;
  }

  const all = lazy(() => Promise.all(slugs.map(get)));
  const { suggest, refuse } = createSuggestions(slugs, searches ? all : undefined);
  return { slugs, has: (slug) => loaders.has(slug), get, suggest, all };
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

/** Loads the search with the first unknown name. */
export function createSuggestions(
  slugs: readonly string[],
  all: Catalog["all"] | undefined,
): Pick<Catalog, "suggest"> & { refuse(slug: string): Promise<never> } {
  const load = () => import("./suggest.ts");
  const suggest = async (name: string) => (await load()).suggest(name, slugs, all);
  return {
    suggest,
    async refuse(slug) {
      const near = await suggest(slug);
      throw (await load()).unknownTool(near);
    },
  };
}
