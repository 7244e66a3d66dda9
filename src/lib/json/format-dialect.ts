import { layOut, type Layout } from "./lay-out.ts";
import { toDocumentFault } from "./problem.ts";
import { loneSurrogateError } from "./refusals.ts";
import { sortCommented } from "./sort-commented.ts";
import type { SortOptions } from "./sort-document.ts";
import { validateJson } from "./validate.ts";

export interface DialectFormat extends Layout {
  sort?: SortOptions | undefined;
  duplicateKeys?: "keep" | "error";
  /** 10,000 by default. */
  maxDepth?: number;
}

/**
 * Writes a document of any dialect anew and keeps its comments, keys, strings and numbers as written. Slower than `formatJson`.
 * @throws DocumentFault if it is not of the dialect.
 */
export function formatDialect(data: string | Uint8Array, options: DialectFormat): string {
  if (typeof data === "string" && !data.isWellFormed()) throw loneSurrogateError(data);
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  const { dialect, sort, maxDepth = 10_000 } = options;
  const duplicateKeys = options.duplicateKeys === "error" ? "error" : "allow";
  const [problem] = validateJson(bytes, { dialect, duplicateKeys, maxDepth });
  if (problem) throw toDocumentFault(problem);
  const text = typeof data === "string" ? data : Buffer.from(data).toString();
  return layOut(sort === undefined ? text : sortCommented(text, dialect, sort), options);
}
