import { z } from "zod";
import { invalidField } from "../catalog/input.ts";
import type { Report } from "../catalog/report.ts";
import { fromJson } from "../lib/data/from-json.ts";
import { createEquality, type DiffOptions, findChanges } from "../lib/json-diff/changes.ts";
import { toDifferences } from "../lib/json-diff/report.ts";
import { ignoreNodes } from "../lib/json-diff/ignore.ts";
import { toJsonValues } from "../lib/json-schema/validate.ts";
import { toMergePatch, toPatch, toText } from "../lib/json-diff/write.ts";
import type { JsonDialect } from "../lib/json/source.ts";
import { followPointer } from "../lib/jsonpath/nodes.ts";
import { runQuery } from "../lib/jsonpath/run.ts";
import { type YamlTags, yamlTags } from "../lib/yaml/from-yaml.ts";
import { locateJson, locating, namingYaml, openDocument, type ReadDocument } from "./document.ts";
import { toMarkedReport } from "./json-mark.ts";
import { readDialect, refusingJson } from "./json-dialect.ts";
import { writeValue } from "./json-value.ts";
import { refusing, refusingOption } from "./refusing.ts";

const formats = ["json", "yaml", "toml"] as const;

/** The options of json-differ. */
export const differFields = {
  dataFormat: z
    .enum(formats)
    .default("json")
    .describe(
      "Format of the first document; YAML and TOML are compared as the JSON that they are converted to",
    ),
  otherFormat: z
    .enum(["auto", ...formats])
    .default("auto")
    .describe("Format of the second document; auto is the same as dataFormat"),
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
      "Objects with two members of one name: error refuses them, last keeps the last, as most parsers do; TOML has none",
    ),
  dialect: readDialect.describe(
    "Dialect of documents in JSON: json (RFC 8259), jsonc (JSON with comments and trailing commas) or json5 (the JSON5 specification); the result has no comments",
  ),
  tags: z
    .enum(yamlTags)
    .default("error")
    .describe(
      "Tags of YAML such as !Ref: error refuses them, drop compares the value alone, keep compares an object with the tag as its key, cloudformation the long form of its functions",
    ),
};

/** Returns the options for a file whose name does not end in .json. */
export function fileFormat(name: string): { dataFormat?: string; dialect?: string } {
  const [, ending = ""] = /\.([A-Za-z0-9]+)$/.exec(name.toLowerCase()) ?? [];
  if (ending === "yaml" || ending === "yml") return { dataFormat: "yaml" };
  if (ending === "toml") return { dataFormat: "toml" };
  return ending === "jsonc" || ending === "json5" ? { dialect: ending } : {};
}

interface Compared extends ReadDocument {
  /** Whether an item of an array is ignored. */
  hasItems: boolean;
}

interface Reading {
  dataFormat: (typeof formats)[number];
  otherFormat: "auto" | (typeof formats)[number];
  ignorePaths: readonly string[];
  duplicateKeys: "error" | "last";
  dialect: JsonDialect;
  tags: YamlTags;
}

type Format = "patch" | "merge" | "text";

/** Writes the differences of two documents in a format. @throws ToolError */
export async function writeDifferences(
  data: string,
  other: string,
  { format, ...options }: DiffOptions & Reading & { format: Format },
): Promise<string> {
  const [from, to] = await readBoth(data, other, options);
  if (format !== "text") refuseIgnoredItems([from, to]);
  const write = async () => {
    if (format === "merge") return writeValue(toMergePatch(from.value, to.value, createEquality(options)));
    const changes = findChanges(from.value, to.value, options);
    return format === "text" ? toText(changes) : writeValue(toPatch(changes));
  };
  return refusing(other, () => locating(to, write), "other");
}

/** Reports the differences of two documents, with their places in the first. @throws ToolError */
export async function reportDifferences(
  data: string,
  other: string,
  options: DiffOptions & Reading,
): Promise<Report> {
  const [from, to] = await readBoth(data, other, options);
  const changes = refusing(other, () => findChanges(from.value, to.value, options), "other");
  const found = toDifferences(changes).map((one) => ({ ...one, severity: "error" as const }));
  const { dataFormat, dialect } = options;
  return toMarkedReport(data, dataFormat === "json" ? dialect : dataFormat, from.locate(found));
}

/** Reads both documents, without what is to be ignored. @throws ToolError */
async function readBoth(
  data: string,
  other: string,
  options: Reading,
): Promise<readonly [Compared, Compared]> {
  const { dataFormat, otherFormat } = options;
  const second = otherFormat === "auto" ? dataFormat : otherFormat;
  return [await readCompared(data, dataFormat, options), await readCompared(other, second, options, "other")];
}

async function readCompared(
  text: string,
  format: (typeof formats)[number],
  options: Reading,
  field?: string,
): Promise<Compared> {
  const { value: document, locate } = await readAs(text, format, options, field);
  const { ignorePaths } = options;
  const found = [];
  for (const [at, path] of ignorePaths.entries()) {
    const about = ignorePaths.length > 1 ? `Path ${at + 1}: ` : "";
    const select = async () =>
      path.startsWith("$") ? runQuery(path, document) : [followPointer(document, path)];
    found.push(...(await refusingOption("ignorePaths", select, about)));
  }
  return { ...ignoreNodes(document, found), locate };
}

async function readAs(
  text: string,
  format: (typeof formats)[number],
  { dialect, duplicateKeys, tags }: Reading,
  field?: string,
): Promise<ReadDocument> {
  if (format === "json") {
    const read = () =>
      refusingJson(text, dialect, () => fromJson(text, dialect, duplicateKeys), {
        field,
        duplicates: "last",
      });
    const value = await namingYaml(text, `set ${field ?? "data"}Format to`, read);
    return { value, locate: (found) => locateJson(text, dialect, found) };
  }
  const document = await openDocument(text, format, {
    ...(field !== undefined && { field }),
    tags,
    lastWins: duplicateKeys === "last",
  });
  // The copy repeats what aliases share: a value that is ignored in one place stays in the others.
  return { ...document, value: toJsonValues(document.value) };
}

/** A patch would set items of arrays that are ignored to null. @throws ToolError invalid_input */
function refuseIgnoredItems(documents: readonly Compared[]): void {
  if (!documents.some(({ hasItems }) => hasItems)) return;
  throw invalidField(
    "ignorePaths",
    "Selects items of an array, which a patch would set to null. Set format to text, or select members of objects.",
  );
}
