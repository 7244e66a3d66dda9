import { z } from "zod";
import { invalidField } from "../catalog/input.ts";
import { fromJson } from "../lib/data/from-json.ts";
import type { Value } from "../lib/data/value.ts";
import { createEquality, type DiffOptions, findChanges } from "../lib/json-diff/changes.ts";
import { ignoreNodes } from "../lib/json-diff/ignore.ts";
import { toMergePatch, toPatch, toText } from "../lib/json-diff/write.ts";
import type { JsonDialect } from "../lib/json/source.ts";
import { followPointer } from "../lib/jsonpath/nodes.ts";
import { runQuery } from "../lib/jsonpath/run.ts";
import { readDialect, refusingJson } from "./json-dialect.ts";
import { writeValue } from "./json-value.ts";
import { refusingOption } from "./refusing.ts";

/** The options of json-differ. */
export const differFields = {
  format: z
    .enum(["patch", "merge", "text"])
    .default("patch")
    .describe(
      "Output format: patch (RFC 6902, [] if equal), merge (RFC 7396) or text (one change per line, empty if equal)",
    ),
  arrays: z
    .enum(["ordered", "set", "key"])
    .default("ordered")
    .describe(
      "Comparison of arrays: ordered by position, set ignores the order, key pairs objects by a member and ignores their order",
    ),
  arrayKey: z
    .string()
    .min(1)
    .max(200)
    .default("id")
    .describe(
      "Member that pairs objects if arrays is key; arrays with objects that lack it or share its value are compared by position",
    ),
  moves: z
    .boolean()
    .default(false)
    .describe(
      "If arrays is key, report objects whose order changed, too: > place -> place in text, move in a patch",
    ),
  ignorePaths: z
    .array(z.string().max(1000))
    .max(100)
    .default([])
    .describe(
      "Values to ignore in both documents: JSONPath queries ($..updatedAt) or JSON Pointers (/meta/date)",
    ),
  ignoreCase: z.boolean().default(false).describe("Ignore the case of letters in strings that are values"),
  duplicateKeys: z
    .enum(["error", "last"])
    .default("error")
    .describe(
      "Objects with two members of one name: error refuses them, last keeps the last, as most parsers do",
    ),
  dialect: readDialect,
};

interface Compared {
  value: Value;
  /** Whether an item of an array is ignored. */
  hasItems: boolean;
}

interface Reading {
  ignorePaths: readonly string[];
  duplicateKeys: "error" | "last";
  dialect: JsonDialect;
}

/** Reads both documents, without what is to be ignored. @throws ToolError */
export async function readBoth(
  data: string,
  other: string,
  options: Reading,
): Promise<readonly [Compared, Compared]> {
  return [await readCompared(data, options), await readCompared(other, options, "other")];
}

/** Writes the differences of two documents in a format. */
export function writeDifferences(
  [{ value: from }, { value: to }]: readonly [Compared, Compared],
  { format, ...options }: DiffOptions & { format: "patch" | "merge" | "text" },
): string {
  if (format === "merge") return writeValue(toMergePatch(from, to, createEquality(options)));
  const changes = findChanges(from, to, options);
  return format === "text" ? toText(changes) : writeValue(toPatch(changes));
}

async function readCompared(
  text: string,
  { ignorePaths, duplicateKeys, dialect }: Reading,
  field?: string,
): Promise<Compared> {
  const document = refusingJson(text, dialect, () => fromJson(text, dialect, duplicateKeys), {
    field,
    duplicates: "last",
  });
  const found = [];
  for (const [at, path] of ignorePaths.entries()) {
    const about = ignorePaths.length > 1 ? `Path ${at + 1}: ` : "";
    const select = async () =>
      path.startsWith("$") ? runQuery(path, document) : [followPointer(document, path)];
    found.push(...(await refusingOption("ignorePaths", select, about)));
  }
  return ignoreNodes(document, found);
}

/** A patch would set items of arrays that are ignored to null. @throws ToolError invalid_input */
export function refuseIgnoredItems(documents: readonly Compared[]): void {
  if (!documents.some(({ hasItems }) => hasItems)) return;
  throw invalidField(
    "ignorePaths",
    "Selects items of an array, which a patch would set to null. Set format to text, or select members of objects.",
  );
}
