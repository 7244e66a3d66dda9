import { DocumentFault } from "../fault.ts";
import { readCsv } from "../csv/read.ts";
import { writeRecords } from "../csv/write.ts";
import { readEnv } from "../env/read.ts";
import { writeEnv } from "../env/write.ts";
import { fromIni } from "../ini/from-ini.ts";
import { toIni } from "../ini/to-ini.ts";
import { readNdjson } from "../ndjson/read.ts";
import { writeNdjson } from "../ndjson/write.ts";
import { fromProperties } from "../properties/from-properties.ts";
import { toProperties } from "../properties/to-properties.ts";
import { fromToml } from "../toml/from-toml.ts";
import { toToml } from "../toml/to-toml.ts";
import { readXml } from "../xml/read.ts";
import { writeXml } from "../xml/write.ts";
import { fromYaml, type YamlTags } from "../yaml/from-yaml.ts";
import { loadYaml } from "../yaml/parse.ts";
import { toYaml } from "../yaml/to-yaml.ts";
import { fromJson } from "./from-json.ts";
import { toJson } from "./to-json.ts";
import type { DuplicateKeys } from "./set-member.ts";
import type { Value } from "./value.ts";

export const dataFormats = [
  "json",
  "jsonc",
  "json5",
  "yaml",
  "toml",
  "csv",
  "tsv",
  "xml",
  "env",
  "ini",
  "properties",
  "ndjson",
] as const;

export type DataFormat = (typeof dataFormats)[number];

/** Formats whose readers take more than `duplicateKeys: error`. */
export const takesDuplicates = (format: DataFormat, duplicateKeys: DuplicateKeys): boolean =>
  duplicateKeys === "error" ||
  ["env", "ini", "properties"].includes(format) ||
  (duplicateKeys === "last" && ["json", "jsonc", "json5"].includes(format));

/** The separator of the keys of nested values in a format without nesting. */
export const separatorOf = (format: DataFormat): string => (format === "env" ? "_" : ".");

export interface ReadDataOptions {
  duplicateKeys: DuplicateKeys;
  /** For YAML. */
  tags: YamlTags;
  /** For INI: whether a comment may follow a value. */
  inlineComments: boolean;
}

/**
 * Returns a function that parses a text; loads the library of the format if it has one.
 * @throws DocumentFault or JsonError
 */
export async function openReader(
  format: DataFormat,
  { duplicateKeys, tags, inlineComments }: ReadDataOptions,
): Promise<(text: string) => Value> {
  if (format === "ini") return (text) => fromIni(text, { duplicateKeys, inlineComments });
  if (format !== "yaml") return (text) => readers[format](text, duplicateKeys);
  const yaml = await loadYaml();
  return (text) => {
    const values = fromYaml(yaml, text, { schema: "core", merge: true, keys: "error", tags });
    if (values.length <= 1) return values[0] ?? null;
    throw new DocumentFault(
      `The text has ${values.length} documents; convert them one by one, or to JSON with yaml-to-json.`,
      {},
      "many-documents",
    );
  };
}

/**
 * Writes a value the way the converters do without options.
 * @throws DocumentFault
 */
export const writeData = (format: DataFormat, value: Value, indent: number): string =>
  writers[format](value, indent);

const csvIn = {
  quote: '"',
  comment: "",
  quotes: "strict",
  header: true,
  duplicateHeaders: "error",
  ragged: "error",
  emptyLines: "keep",
  types: "none",
  inferColumns: [],
  limit: Number.POSITIVE_INFINITY,
} as const;

const csvOut = {
  quote: '"',
  header: true,
  columns: [],
  eol: "lf",
  flatten: true,
  escapeFormulas: false,
  bom: false,
  quoteAll: false,
  emptyRecords: "fill",
} as const;

const xmlKeys = { attributes: "@", text: "#text" };

/** JSON objects cannot make lists of duplicate keys. */
const inJson = (duplicateKeys: DuplicateKeys): "error" | "last" =>
  duplicateKeys === "last" ? "last" : "error";

type Reader = (text: string, duplicateKeys: DuplicateKeys) => Value;

const readers: Record<Exclude<DataFormat, "yaml" | "ini">, Reader> = {
  json: (text, duplicateKeys) => fromJson(text, "json", inJson(duplicateKeys)),
  jsonc: (text, duplicateKeys) => fromJson(text, "jsonc", inJson(duplicateKeys)),
  json5: (text, duplicateKeys) => fromJson(text, "json5", inJson(duplicateKeys)),
  toml: (text) => fromToml(text, { version: "1.1" }),
  csv: (text) => readCsv(text, { ...csvIn, delimiter: "," }),
  tsv: (text) => readCsv(text, { ...csvIn, delimiter: "\t" }),
  xml: (text) => readXml(text, { ...xmlKeys, arrays: "auto", types: "none" }),
  env: (text, duplicateKeys) => readEnv(text, { prefix: "", duplicateKeys }),
  properties: fromProperties,
  ndjson: (text) => readNdjson(text, { skipInvalid: false }),
};

const writers: Record<DataFormat, (value: Value, indent: number) => string> = {
  json: toJson,
  jsonc: toJson,
  json5: toJson,
  yaml: (value, indent) => toYaml(value, { indent: Math.max(indent, 1), compat: "yaml1.1", lineWidth: 0 }),
  toml: toToml,
  csv: (value) => writeRecords(value, { ...csvOut, delimiter: "," }),
  tsv: (value) => writeRecords(value, { ...csvOut, delimiter: "\t" }),
  xml: (value, indent) =>
    writeXml(value, { ...xmlKeys, indent, root: "root", item: "item", declaration: false }),
  env: (value) => writeEnv(value, { prefix: "", export: false, separator: separatorOf("env") }),
  ini: toIni,
  properties: toProperties,
  ndjson: writeNdjson,
};
