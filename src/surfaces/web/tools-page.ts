import type { CatalogTool } from "../../catalog/catalog.ts";
import { type ShownCategory, shownCategories } from "../../catalog/categories.ts";
import { icon, type Markup, markup } from "./markup.ts";
import { nameOf } from "./tool-page.ts";

/** `GET /tools`: every tool, for people. */
export const toToolsPage = (
  tools: readonly CatalogTool[],
  root: string,
  runsInTab: (slug: string) => boolean,
): Markup => markup`<div data-page="tools">${toCatalogue(tools, root, runsInTab, "h1")}</div>`;

/**
 * The tools by category, with links to each category beside them. page/home/catalogue.tsx adds a filter.
 * @param level The heading of the whole; those of categories are below it.
 */
export function toCatalogue(
  tools: readonly CatalogTool[],
  root: string,
  runsInTab: (slug: string) => boolean,
  level: "h1" | "h2",
): Markup {
  const groups = groupsOf(tools);
  const heading = markup`All tools`;
  return markup`<div class="catalogue" id="all">
<nav class="side" aria-label="Categories"><ul>
<li><a href="#all" aria-current="true">${icon("menu")} All tools <span class="count">${tools.length}</span></a></li>
${groups.map(
  ({ id, name, members }) =>
    markup`<li><a href="#${id}">${iconOf(id)} ${name} <span class="count">${members.length}</span></a></li>
`,
)}</ul></nav>
<div class="groups">
<div class="filters">${level === "h1" ? markup`<h1>${heading}</h1>` : markup`<h2>${heading}</h2>`}<div class="filter" data-part="filter"></div></div>
${groups.map((group, order) => toGroup(group, order, level === "h1" ? "h2" : "h3", root, runsInTab))}</div>
</div>`;
}

interface Group extends ShownCategory {
  members: CatalogTool[];
}

function groupsOf(tools: readonly CatalogTool[]): Group[] {
  const byCategory = Map.groupBy(tools, ({ category }) => category);
  const known = new Set(shownCategories.map(({ id }) => id));
  const own = [...byCategory.keys()]
    .filter((id) => !known.has(id))
    .map((id): ShownCategory => ({ id, name: id, about: "" }));
  return [...shownCategories, ...own].flatMap((category) => {
    const members = byCategory.get(category.id);
    return members === undefined ? [] : [{ ...category, members: withFirst(members, category.first) }];
  });
}

/** Returns the tools with those that most people come for before the others. */
const withFirst = (members: readonly CatalogTool[], first: readonly string[] = []): CatalogTool[] => {
  const placeOf = ({ slug }: CatalogTool): number =>
    first.includes(slug) ? first.indexOf(slug) : first.length;
  return members.toSorted((one, other) => placeOf(one) - placeOf(other));
};

function toGroup(
  { id, name, members }: Group,
  order: number,
  level: "h2" | "h3",
  root: string,
  runsInTab: (slug: string) => boolean,
): Markup {
  const heading = markup`${iconOf(id)} ${name}`;
  return markup`<section class="group" id="${id}" data-order="${order}" aria-labelledby="${id}-name">
${level === "h2" ? markup`<h2 id="${id}-name">${heading}</h2>` : markup`<h3 id="${id}-name">${heading}</h3>`}
<ul class="tiles">
${members.map(
  (tool) =>
    markup`<li data-slug="${tool.slug}"${runsInTab(tool.slug) ? markup` data-in-tab` : undefined}><a href="${root}tools/${tool.slug}"><b class="cut">${nameOf(tool)}</b> <span class="cut">${tileOf(tool)}</span></a></li>
`,
)}</ul>
</section>
`;
}

/** Returns the purpose of a tool in a few words. */
const tileOf = ({ page, summary }: { summary: string; page?: { tile?: string } }): string =>
  page?.tile ?? summary;

/** An operator's own category has no icon of its own. */
const iconOf = (id: string): Markup => icon(shownCategories.some((one) => one.id === id) ? id : "tool");
