import { z } from "zod";
import type { Finding, Report } from "../catalog/report.ts";
import type { Value } from "../lib/data/value.ts";
import { toJsonValues } from "../lib/json-schema/validate.ts";
import { toMarkedReport } from "./json-mark.ts";
import type { DocumentFormat, ReadDocument } from "./document.ts";

/** The options of json-schema-validator about formats and drafts. */
export const schemaDraft = z
  .enum(["auto", "2020-12", "2019-09", "7", "6", "4"])
  .default("auto")
  .describe("Draft of the schema; auto reads $schema and falls back to 2020-12");

export const schemaFormats = {
  dataFormat: z
    .enum(["json", "jsonc", "json5", "yaml", "toml"])
    .default("json")
    .describe("Format of the document"),
  schemaFormat: z
    .enum(["auto", "json", "jsonc", "json5", "yaml", "toml"])
    .default("auto")
    .describe(
      "Format of the schema; auto is JSON, or for data in YAML, JSONC or JSON5 the same as dataFormat",
    ),
};

/** YAML and TOML hold values that JSON lacks. */
export const jsonOf = ({ value }: ReadDocument, format: DocumentFormat): Value =>
  format === "yaml" || format === "toml" ? toJsonValues(value) : value;

/** Returns the format of a schema with `schemaFormat: auto`. */
export function formatOfSchema(schema: string, format: DocumentFormat): DocumentFormat {
  if (format === "toml") return "json";
  // The JSON parser has better messages.
  return format === "yaml" && /^\s*\{\s*(?:"|\}|$)/.test(schema) ? "json" : format;
}

/** The report on a document: each violation of the schema is an error. */
export const toSchemaReport = (
  data: string,
  format: string,
  found: readonly Omit<Finding, "severity">[],
): Report =>
  toMarkedReport(
    data,
    format,
    found.map((one) => ({ ...one, severity: "error" })),
  );
