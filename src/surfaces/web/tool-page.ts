import type { Catalog, CatalogTool } from "../../catalog/catalog.ts";
import { describe } from "../../catalog/describe.ts";
import type { ListedTool, ToolPageDescription } from "../../catalog/description.ts";
import { shownCategories } from "../../catalog/categories.ts";
import type { ToolPage } from "../../catalog/tool.ts";
import { defined } from "../../lib/defined.ts";
import { icon, type Markup, markup } from "./markup.ts";

/** The values that the page of a tool depends on besides the tool. */
export interface Surroundings {
  catalog: Pick<Catalog, "has">;
  /** Whether the server answers calls without a key. */
  anonymous: boolean;
  /** Whether browsers have all that the tool needs; those of today do, older ones may not. */
  runsInTab(slug: string): boolean;
}

/** Returns the name of a tool on pages. */
export const nameOf = ({ title, page }: Pick<CatalogTool, "title" | "page">): string => page?.title ?? title;

/** Describes a tool for lists of the page. */
export const toListed = (tool: CatalogTool): ListedTool => {
  const { slug, summary, category, accepts, aliases } = tool;
  return { slug, title: nameOf(tool), summary, category, ...defined({ accepts, aliases }) };
};

/** Describes a tool for page/tools. */
export function toDefinition(
  tool: CatalogTool,
  { catalog: { has }, anonymous, runsInTab }: Surroundings,
): ToolPageDescription {
  const inverse = inverseOf(tool.slug);
  return {
    ...describe(tool),
    title: nameOf(tool),
    ...(tool.page !== undefined && { page: withServed(tool.page, has) }),
    shownCategory: toShownCategory(tool),
    takesBytes: tool.runBytes !== undefined,
    ...(inverse !== undefined && has(inverse) && { inverse }),
    anonymous,
    runsInTab: runsInTab(tool.slug),
  };
}

/**
 * The content of a tool's page, complete without the script but for the form. page/tools/tool.tsx draws it again, with the same
 * head in the same place.
 */
export function toToolPage(tool: CatalogTool, surroundings: Surroundings): Markup {
  const { summary } = tool;
  const shown = toShownCategory(tool);
  return markup`<noscript><p class="notice">The form of this page needs JavaScript. The tool also runs over HTTP and at the command line.</p></noscript>
<div data-page="tool" data-tool="${JSON.stringify(toDefinition(tool, surroundings))}"><div class="tool-page"><div class="tool-head"><span class="button quiet small crumb">${icon(shown.icon)}<span>${shown.name}</span>${icon("down")}</span><h1>${nameOf(tool)}</h1><span class="star-place"></span><p class="summary cut">${summary}</p></div></div></div>`;
}

/** An operator may have disabled tools that follow another one. */
const withServed = (page: ToolPage, has: Catalog["has"]): ToolPage =>
  page.next === undefined ? page : { ...page, next: page.next.filter(({ slug }) => has(slug)) };

/** An operator's own category has its own name. */
function toShownCategory({ category }: CatalogTool): ToolPageDescription["shownCategory"] {
  const known = shownCategories.find(({ id }) => id === category);
  return { name: known?.name ?? category, icon: known?.id ?? "tool" };
}

/** Endings of tools that undo one another. */
const pairs = [
  ["encoder", "decoder"],
  ["escaper", "unescaper"],
] as const;

function inverseOf(slug: string): string | undefined {
  for (const [one, other] of [...pairs, ...pairs.map(([left, right]) => [right, left] as const)])
    if (slug.endsWith(`-${one}`)) return `${slug.slice(0, -one.length)}${other}`;
  const [, from, to] = /^(.+)-to-(.+)$/.exec(slug) ?? [];
  return from === undefined ? undefined : `${to}-to-${from}`;
}
