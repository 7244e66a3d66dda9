import { z } from "zod";
import { queryLanguages } from "../lib/query-json.ts";

/** The options of json-query. */
export const queryLanguage = z
  .enum(queryLanguages)
  .default("jsonpath")
  .describe(
    "Query language: jsonpath (RFC 9535), pointer (RFC 6901), jmespath (jmespath.org) or jsonata (jsonata.org). JSONata computes with doubles and refuses numbers that a double cannot hold; the others preserve numbers as written",
  );

export const queryOutput = z
  .enum(["values", "nodes", "raw"])
  .default("values")
  .describe(
    "Form of the result: values returns a list for jsonpath, and the value or null for the other languages; nodes returns path, pointer and value of each match, for jsonpath and pointer only; raw writes one match a line, strings without quotes and other values as JSON on one line; for jmespath and jsonata the items of a list are the matches",
  );
