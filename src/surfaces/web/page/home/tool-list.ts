import { type Lazy, lazy } from "../../../../lib/lazy.ts";
import type { ListedTool } from "../../../../catalog/description.ts";
import { type Found, searchOf } from "../../../../catalog/search.ts";

/** The tools of the server, searched in the page: what is typed does not leave it. */
export interface ToolList {
  readonly tools: readonly ListedTool[];
  /** The best first. */
  find(words: string): readonly Found<ListedTool>[];
  titleOf(slug: string): string;
}

/** Returns a sentence, with a space after it, if no tool has such a name; empty if one has, or without words. */
export function describeFound(tools: ToolList | undefined, words: string): string {
  if (tools === undefined || words.trim() === "") return "";
  const found = tools.find(words.trim().toLowerCase());
  if (found.some(({ isNear }) => !isNear)) return "";
  return `No tool is called so${found.length > 0 ? "; these are the nearest" : ""}. `;
}

let list: Lazy<ToolList> | undefined;

/** Returns the list of tools, which is fetched once. @param root URL of the home page. */
export const openToolList = (root: URL): Promise<ToolList> => (list ??= lazy(() => fetchList(root)))();

async function fetchList(root: URL): Promise<ToolList> {
  const response = await fetch(new URL("web/tools", root), {
    credentials: "omit",
    headers: { Accept: "application/json" },
  });
  if (!response.ok) throw new Error(`The server answered with ${response.status}.`);
  const { items: tools } = (await response.json()) as { items: ListedTool[] };
  const titles = new Map(tools.map(({ slug, title }) => [slug, title]));
  const search = searchOf(tools);
  return { tools, find: search, titleOf: (slug) => titles.get(slug) ?? slug };
}
