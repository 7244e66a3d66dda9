import type { CatalogTool } from "./catalog.ts";
import { ToolError } from "./errors.ts";
import { valuesOf } from "./fields.ts";
import { nearest } from "../lib/nearest.ts";
import { toQuestion } from "./question.ts";
import { searchOf } from "./search.ts";

/** Longest name that is looked up; a hostile one may be of any length. */
const maxLength = 64;

/**
 * Returns up to three slugs that a name may stand for, the best first: the slug that is spelt like it or, if there is none,
 * the tools that are called so, if there is a list of them. `md5` is hash-generator.
 */
export async function suggest(
  name: string,
  slugs: readonly string[],
  all: (() => Promise<readonly CatalogTool[]>) | undefined,
): Promise<readonly string[]> {
  const near = nearest(name, slugs);
  if (near !== undefined) return [near];
  if (all === undefined || name.length > maxLength) return [];
  try {
    const found = searchOf(await all(), valuesOf)(name.replaceAll(/[-_]+/g, " "));
    const called = found.filter(({ isName }) => isName);
    return (called.length > 0 ? called : found.slice(0, 1)).slice(0, 3).map(({ tool }) => tool.slug);
  } catch {
    // A pipeline that cannot be loaded must not hide that the name is unknown.
    return [];
  }
}

export function unknownTool(near: readonly string[]): ToolError {
  const hint = toQuestion(near) ?? "GET /api/tools lists them all.";
  return new ToolError("unknown_tool", `There is no tool of that name. ${hint}`, {
    ...(near[0] !== undefined && { nearest: near[0] }),
  });
}
