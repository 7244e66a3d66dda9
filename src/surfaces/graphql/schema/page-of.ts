import type { ToolError } from "../../../catalog/errors.ts";
import { invalidField } from "../../../catalog/input.ts";
import { mustBeWithin, mustHave } from "../../../lib/must.ts";
import { searchFor } from "../../../lib/words.ts";

/** The arguments of a paged list. */
export interface PageArgs {
  first: number;
  after?: string | null | undefined;
}

/** A page of a list, as its GraphQL connection. */
export interface Page<Item> {
  nodes: Item[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount: number;
}

export const maxFirst = 1000;

/**
 * Returns the page of the selected items that begins after an item, which need not be selected itself: it may have changed
 * since the page that named it. @throws ToolError invalid_input for `first` and `after`.
 */
export function pageOf<Item>(
  all: readonly Item[],
  { first, after }: PageArgs,
  idOf: (item: Item) => string,
  isSelected: (item: Item) => boolean = () => true,
): Page<Item> {
  requireFirst(first);
  const begin = after == null ? 0 : all.findIndex((item) => idOf(item) === after) + 1;
  if (after != null && begin === 0) throw notACursor();
  const nodes: Item[] = [];
  let totalCount = 0;
  let hasNextPage = false;
  for (const [index, item] of all.entries()) {
    if (!isSelected(item)) continue;
    totalCount += 1;
    if (index < begin) continue;
    if (nodes.length < first) nodes.push(item);
    else hasNextPage = true;
  }
  const last = nodes.at(-1);
  return { nodes, pageInfo: { hasNextPage, endCursor: last === undefined ? null : idOf(last) }, totalCount };
}

/** @throws ToolError invalid_input */
export function requireFirst(first: number): void {
  if (first < 0 || first > maxFirst) throw invalidField("first", mustBeWithin(0, maxFirst, first));
}

export const notACursor = (): ToolError =>
  invalidField("after", "Must be the endCursor of an earlier page of the same query.");

/** Most characters of a search: each of its words is looked for in every item. */
export const maxSearch = 200;

/** Returns the matcher of a search; all texts match none. @throws ToolError invalid_input for a search that is too long. */
export function matcherOf(search: string | null | undefined): (text: string) => boolean {
  if (search != null && search.length > maxSearch)
    throw invalidField("search", mustHave(undefined, maxSearch, "character", search.length));
  return searchFor(search ?? "");
}
