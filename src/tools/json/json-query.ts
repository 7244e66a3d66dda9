import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { isList } from "../../lib/data/value.ts";
import { queryJson } from "../../lib/query-json.ts";
import { readDialect, readJson, refusingJson } from "../json-dialect.ts";
import { writeLines, writeValue } from "../json-value.ts";
import { queryExamples } from "../json-query-examples.ts";
import { checkQuery, queryLanguage, queryOutput } from "../json-query-fields.ts";
import { checkJqFields, jqFields, queryJq } from "../json-query-jq.ts";
import { now } from "../now.ts";
import { refusingOption } from "../refusing.ts";

export default defineTool({
  slug: "json-query",
  title: "JSON query",
  version: "1.3.1",
  summary: "Select values of a JSON document with JSONPath, JMESPath, JSONata, jq or a pointer.",
  page: {
    tile: "JSONPath, JMESPath, JSONata",
    layout: "pattern",
    view: "code:json+tree",
    tab: "Result",
    options: ["query", "language", "output"],
    labels: { data: "Document", query: "Query" },
  },
  accepts: "JSON",
  aliases:
    "jsonpath, json path, jmespath, jsonata, json pointer, rfc 9535, rfc 6901, query json, filter json, select from json, extract field, get value from json, aws cli --query, az --query, kubectl -o jsonpath, jsonpath evaluator, json path tester, search in json, pluck, jq, jq filter, jqplay, gojq, jaq, jq -r, select(.a), to_entries, group_by, transform json",
  input: z.object({
    data: z.string().describe("The JSON document"),
    query: z.string().max(10_000).describe("The query, in the selected language"),
    language: queryLanguage,
    output: queryOutput,
    dialect: readDialect,
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
    seed: z.string().max(1024).optional().describe("Seed of the JSONata functions $random and $shuffle"),
    now: now.describe("Time (RFC 3339) returned by the JSONata functions $now and $millis and by now of jq"),
    ...jqFields,
  }),
  examples: queryExamples,
  isolate: "process",
  async run({ data, indent, dialect, seed, now: time, query, language, output, ...jq }) {
    checkQuery({ query, language, output });
    const millis = time === undefined ? undefined : Date.parse(time);
    if (language === "jq") return queryJq(data, { query, dialect, indent, output, now: millis, ...jq });
    checkJqFields(jq);
    const document = readJson(data, dialect);
    const work = () =>
      refusingJson(data, dialect, () =>
        queryJson(document, { query, language, output }, { seed, now: millis }),
      );
    const answer = await refusingOption("query", work);
    if (output !== "raw") return writeValue(answer, indent);
    return writeLines(language !== "pointer" && isList(answer) ? answer : [answer]);
  },
});
