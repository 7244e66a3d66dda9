import { z } from "zod";
import { ToolError } from "../catalog/errors.ts";
import { isolateOver } from "../catalog/inline.ts";
import type { ToolContext } from "../catalog/tool.ts";
import { maxResultLength } from "../lib/data/result-length.ts";
import { maxDepth } from "../lib/data/value.ts";
import { formatJson, formatJsonText, maxResultBytes } from "../lib/json/format.ts";
import { formatDialect } from "../lib/json/format-dialect.ts";
import type { JsonDialect } from "../lib/json/source.ts";
import { checkDialectSize, refusingJson } from "./json-dialect.ts";
import { limited } from "./limited.ts";
import { refusing } from "./refusing.ts";

export const openObjects = z
  .enum(["expand", "keep"])
  .default("expand")
  .describe(
    "Objects and arrays that are open in the document, with the first item on a line of its own: keep leaves them open, and puts others that fit into width, or 80 columns, on one line, as Prettier does; expand lays out all of them by width",
  );

/** The options of json-formatter. */
interface Options {
  dialect: JsonDialect;
  indent: number;
  useTabs: boolean;
  width: number;
  objects: "expand" | "keep";
  sortKeys: boolean;
  duplicateKeys: "keep" | "error";
}

export function formatText(data: string, options: Options, context: ToolContext): string {
  if (isSlow(options)) return formatSlowly(data, options, context);
  return within(data, "json", context, maxResultBytes, (max) =>
    formatJsonText(data, { ...options, maxResultBytes: max }),
  );
}

export function formatBytes(data: Uint8Array, options: Options, context: ToolContext): Uint8Array {
  if (isSlow(options)) return Buffer.from(formatSlowly(data, options, context));
  if (options.sortKeys) refuseToSort(data.length);
  const max = context.maxResultBytes ?? maxResultBytes;
  return within(data, "json", context, max, (limit) =>
    formatJson(data, { ...options, maxResultBytes: limit }),
  );
}

/** Writes a document of a dialect as JSON on one line. */
export function minifyDialect(data: string | Uint8Array, dialect: JsonDialect, context: ToolContext): string {
  checkDialectSize(data.length);
  isolateOver(data.length, maxInline, context);
  return refusingJson(data, dialect, () =>
    formatDialect(data, { dialect, indent: 0, scalars: "plain", maxLength: maxResultBytes }),
  );
}

export const isCommented = (dialect: string): dialect is "jsonc" | "json5" =>
  dialect === "jsonc" || dialect === "json5";

/** Writes a document of a dialect with comments in another, with its comments. */
export function convertDialect(
  data: string,
  from: "jsonc" | "json5",
  to: "jsonc" | "json5",
  indent: number,
): string {
  checkDialectSize(data.length);
  const scalars = to === "jsonc" ? "commented" : "written";
  const options = { dialect: from, indent, scalars, blankLines: true, duplicateKeys: "error" } as const;
  return refusing(data, () => formatDialect(data, { ...options, maxDepth, maxLength: maxResultLength }));
}

/** Bytes of the largest document that can be sorted; sorting allocates an object for each member. */
const maxSorted = 64 * 1024 * 1024;

function refuseToSort(length: number): void {
  if (length <= maxSorted) return;
  const message = `The document has ${length} bytes; sortKeys takes at most ${maxSorted}.`;
  throw new ToolError("body_too_large", message, { limit: maxSorted });
}

/** Reports whether the options need more than the printer of plain JSON can do. */
const isSlow = ({ dialect, width, objects, indent }: Options): boolean =>
  dialect !== "json" || ((width > 0 || objects === "keep") && indent > 0);

/** Columns of a line where open objects are kept and no width is set, as Prettier has it. */
const usualWidth = 80;

/** Longest document that is formatted token by token on the event loop. */
const maxInline = 8192;

function formatSlowly(data: string | Uint8Array, options: Options, context: ToolContext): string {
  checkDialectSize(data.length);
  isolateOver(data.length, maxInline, context);
  const { dialect, sortKeys, width, objects } = options;
  const keepsOpen = objects === "keep";
  return within(data, dialect, context, maxResultBytes, (maxLength) =>
    formatDialect(data, {
      ...options,
      width: keepsOpen && width === 0 ? usualWidth : width,
      keepsOpen,
      maxLength,
      sort: sortKeys ? { order: "asc", arrays: "keep" } : undefined,
      blankLines: (dialect !== "json" || keepsOpen) && !sortKeys,
    }),
  );
}

function within<T>(
  data: string | Uint8Array,
  dialect: JsonDialect,
  context: ToolContext,
  max: number,
  format: (max: number) => T,
): T {
  return refusingJson(data, dialect, () => limited(context, max, format), { duplicates: "keep" });
}
