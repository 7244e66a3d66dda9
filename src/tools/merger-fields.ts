import { z } from "zod";
import type { Value } from "../lib/data/value.ts";
import { DocumentFault } from "../lib/fault.ts";
import { mergeValues, type MergeRules } from "../lib/merge/merge.ts";
import { fromYaml } from "../lib/yaml/from-yaml.ts";
import type { YamlLibrary } from "../lib/yaml/parse.ts";
import { refusing } from "./refusing.ts";

/** Options of the mergers. */
export const mergerFields = {
  others: z
    .array(z.string().max(16_777_216))
    .max(18)
    .default([])
    .describe("More documents, each merged over those before it"),
  arrays: z
    .enum(["replace", "append", "union", "key"])
    .default("replace")
    .describe(
      "Two arrays: the later one replaces, its items are appended, union appends those that are not there yet, key merges objects with the same value under arrayKey",
    ),
  arrayKey: z
    .string()
    .min(1)
    .max(256)
    .default("name")
    .describe("Key by which items are found where arrays is key"),
  null: z
    .enum(["delete", "keep"])
    .default("delete")
    .describe(
      "Null in a later document: delete removes the member, as in RFC 7396 and Helm; keep is a value",
    ),
  conflict: z
    .enum(["last", "error"])
    .default("last")
    .describe(
      "Two different values, or arrays where they are replaced: the last one counts, or they are an error",
    ),
};

/** A document, and the field that holds it. */
interface Source {
  text: string;
  field: string;
  value: Value;
}

/** Merges documents one after another. @throws ToolError invalid_document with the place in the later one */
export const mergeAll = (first: Value, others: readonly Source[], rules: MergeRules): Value =>
  others.reduce(
    (merged, { text, field, value }) => refusing(text, () => mergeValues(merged, value, rules), field),
    first,
  );

/** Reads the only document of a stream. @throws ToolError invalid_document */
export const readYamlOf = (
  yaml: YamlLibrary,
  text: string,
  field: string | undefined,
  dropsTags: boolean,
): Value => refusing(text, () => readOne(yaml, text, dropsTags), field);

function readOne(yaml: YamlLibrary, text: string, dropsTags: boolean): Value {
  const options = { schema: "core", merge: true, keys: "stringify" } as const;
  try {
    const values = fromYaml(yaml, text, { ...options, tags: dropsTags ? "drop" : "error" });
    if (values.length <= 1) return values[0] ?? null;
    throw new DocumentFault(`Expected one document, not ${values.length} separated by ---.`);
  } catch (error) {
    if (!(error instanceof DocumentFault) || error.rule !== "tag") throw error;
    const message = "Values with tags of their own cannot be merged; remove the tag.";
    throw new DocumentFault(message, error.at, "tag");
  }
}
