import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createCatalog, type CatalogTool } from "../src/catalog/catalog.ts";
import { categories } from "../src/catalog/categories.ts";
import { escape, opening, renderCategory } from "../src/surfaces/cli/tools-markdown.ts";
import { tools } from "../src/tools/index.ts";
import { peers } from "./peers.ts";
import { secretsPage } from "./secrets-page.ts";

/** Returns the pages about the tools, by their path in docs: the index, the rules for secrets, and one page for each category. */
export async function toolPages(): Promise<Map<string, string>> {
  const all = await createCatalog(tools).all();
  const groups = Map.groupBy(all, (tool) => tool.category);
  const pages = new Map([
    ["tools.md", toIndex(all, groups)],
    ["secrets.md", secretsPage()],
  ]);
  for (const [category, members] of groups)
    pages.set(`tools/${category}.md`, renderCategory(category, categories[category] ?? "", members));
  return pages;
}

function toIndex(all: readonly CatalogTool[], groups: ReadonlyMap<string, readonly CatalogTool[]>): string {
  const sections = [...groups].flatMap(([category, members]) => [
    `## ${category}`,
    `${categories[category] ?? ""} [Fields and examples](tools/${category}.md).`,
    members.map((tool) => `- ${toLink(tool)}: ${escape(tool.summary)}`).join("\n"),
  ]);
  const categoryOf = new Map(all.map((tool) => [tool.slug, tool]));
  const rows = Object.entries(peers).flatMap(([program, names]) =>
    names.map(
      ([name, slug]) => `| ${program} | ${toCell(name)} | ${toLink(categoryOf.get(slug) as CatalogTool)} |`,
    ),
  );
  return `${[
    ...opening(all.length),
    "`penknife tools WORDS` and `GET /api/tools?search=WORDS` find a tool by any of the names that people use.",
    ...sections,
    "## Coming from it-tools, DevToys, CyberChef, jq, yq or the shell",
    "What is called so there is done here by:",
    `| program | name there | tool |\n|---|---|---|\n${rows.join("\n")}`,
  ].join("\n\n")}\n`;
}

const toLink = ({ slug, category }: CatalogTool): string => `[${slug}](tools/${category}.md#${slug})`;

const toCell = (name: string): string => `\`${name.replaceAll("|", "\\|")}\``;

if (import.meta.main) {
  const docs = new URL("../docs/", import.meta.url).pathname;
  const pages = await toolPages();
  mkdirSync(`${docs}tools`, { recursive: true });
  for (const old of readdirSync(`${docs}tools`))
    if (!pages.has(`tools/${old}`)) rmSync(`${docs}tools/${old}`);
  for (const [path, text] of pages) writeFileSync(docs + path, text);
}
