import { z } from "zod";
import { invalidField } from "../catalog/input.ts";
import { type JsonQuery, queryLanguages } from "../lib/query-json.ts";

/** The options of json-query. */
export const queryLanguage = z
  .enum([...queryLanguages, "jq"])
  .default("jsonpath")
  .describe(
    "Query language: jsonpath (RFC 9535), pointer (RFC 6901), jmespath (jmespath.org), jsonata (jsonata.org) or jq (jq 1.8 without modules). JSONata computes with doubles and refuses numbers that a double cannot hold; the others preserve numbers as written",
  );

/** A query in any language; jq is not one of those that give one value. */
type AnyQuery = Omit<JsonQuery, "language"> & { language: JsonQuery["language"] | "jq" };

/** @throws ToolError invalid_input for an output that the language lacks, and a query in another language than JSONPath */
export function checkQuery({ query, language, output }: AnyQuery): void {
  if (output === "nodes" && language !== "jsonpath" && language !== "pointer")
    throw invalidField("output", `${language} computes values, which have no paths: set values or raw.`);
  if (language !== "jsonpath" || query.startsWith("$")) return;
  const shown = query.length > 40 ? `${query.slice(0, 40)}…` : query;
  const advice = query.startsWith("/")
    ? "for a pointer, set language to pointer."
    : /^[.[]/.test(query)
      ? `write $${shown}, or set language to jq.`
      : "for JMESPath, JSONata or jq, set language to jmespath, jsonata or jq.";
  throw invalidField("query", `A JSONPath query starts with $, such as $.name; ${advice}`);
}

export const queryOutput = z
  .enum(["values", "nodes", "raw"])
  .default("values")
  .describe(
    "Form of the result: values returns a list for jsonpath, and the value or null for the other languages; nodes returns path, pointer and value of each match, for jsonpath and pointer only; raw writes one match a line, strings without quotes and other values as JSON on one line; for jmespath and jsonata the items of a list are the matches. jq writes each result as a JSON text with values, and as jq -r does with raw",
  );
