import { z } from "zod";
import { invalidField } from "../catalog/input.ts";
import { type JsonQuery, queryLanguages } from "../lib/query-json.ts";

/** The options of json-query. */
export const queryLanguage = z
  .enum(queryLanguages)
  .default("jsonpath")
  .describe(
    "Query language: jsonpath (RFC 9535), pointer (RFC 6901), jmespath (jmespath.org) or jsonata (jsonata.org). JSONata computes with doubles and refuses numbers that a double cannot hold; the others preserve numbers as written",
  );

/** @throws ToolError invalid_input for an output that the language lacks, and a query in another language than JSONPath */
export function checkQuery({ query, language, output }: JsonQuery): void {
  if (output === "nodes" && (language === "jmespath" || language === "jsonata"))
    throw invalidField("output", `${language} computes values, which have no paths: set values or raw.`);
  if (language !== "jsonpath" || query.startsWith("$")) return;
  const shown = query.length > 40 ? `${query.slice(0, 40)}…` : query;
  const advice = query.startsWith("/")
    ? "for a pointer, set language to pointer."
    : /^[.[]/.test(query)
      ? `write $${shown}.`
      : "for JMESPath or JSONata, set language to jmespath or jsonata.";
  throw invalidField("query", `A JSONPath query starts with $, such as $.name; ${advice}`);
}

export const queryOutput = z
  .enum(["values", "nodes", "raw"])
  .default("values")
  .describe(
    "Form of the result: values returns a list for jsonpath, and the value or null for the other languages; nodes returns path, pointer and value of each match, for jsonpath and pointer only; raw writes one match a line, strings without quotes and other values as JSON on one line; for jmespath and jsonata the items of a list are the matches",
  );
