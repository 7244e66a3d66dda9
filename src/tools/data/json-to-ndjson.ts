import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { fromJson } from "../../lib/data/from-json.ts";
import { writeNdjson } from "../../lib/ndjson/write.ts";
import { createArrayRun } from "../array-run.ts";
import { readDialect, refusingJson } from "../json-dialect.ts";

export default defineTool({
  slug: "json-to-ndjson",
  title: "JSON to NDJSON",
  version: "1.1.1",
  summary: "Convert a JSON array to newline-delimited JSON, one line per item.",
  page: { tile: "An array to one item a line", view: "code:json", tab: "NDJSON", options: ["dialect"] },
  accepts: "a JSON array",
  aliases:
    "json to jsonl, json lines, jsonl, jsonlines, jq -c .[], array to lines, newline delimited json, ldjson, bulk import, bigquery json, split json array",
  input: z.object({
    data: z.string().describe("The JSON document; a value that is not an array becomes one line"),
    dialect: readDialect,
  }),
  examples: [
    { input: { data: '[{"a": 1}, {"a": 2}]' }, result: '{"a":1}\n{"a":2}' },
    {
      title: "Line breaks in strings stay escaped, numbers keep their notation",
      input: { data: '[\n  "a\\nb",\n  1.0,\n  [],\n  null\n]' },
      result: '"a\\nb"\n1.0\n[]\nnull',
    },
  ],
  run: ({ data, dialect }) => refusingJson(data, dialect, () => writeNdjson(fromJson(data, dialect))),
  runBlocks: ({ dialect }) =>
    dialect === "json" ? createArrayRun("json-to-ndjson", writeNdjson) : undefined,
});
