import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { isList } from "../../lib/data/value.ts";
import { queryJson } from "../../lib/query-json.ts";
import { readDialect, readJson, refusingJson } from "../json-dialect.ts";
import { writeLines, writeValue } from "../json-value.ts";
import { checkQuery, queryLanguage, queryOutput } from "../json-query-fields.ts";
import { now } from "../now.ts";
import { refusingOption } from "../refusing.ts";

export default defineTool({
  slug: "json-query",
  title: "JSON query",
  version: "1.2.1",
  summary: "Select values of a JSON document with JSONPath, JMESPath, JSONata or a pointer.",
  accepts: "JSON",
  aliases:
    "jsonpath, json path, jmespath, jsonata, json pointer, rfc 9535, rfc 6901, query json, filter json, select from json, extract field, get value from json, aws cli --query, az --query, kubectl -o jsonpath, jsonpath evaluator, json path tester, search in json, pluck",
  input: z.object({
    data: z.string().describe("The JSON document"),
    query: z.string().max(10_000).describe("The query, in the selected language"),
    language: queryLanguage,
    output: queryOutput,
    dialect: readDialect,
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
    seed: z.string().max(1024).optional().describe("Seed of the JSONata functions $random and $shuffle"),
    now: now.describe("Time (RFC 3339) returned by the JSONata functions $now and $millis"),
  }),
  examples: [
    {
      input: { data: '{"a":[{"n":1.50},{"n":20}]}', query: "$.a[?@.n < 2].n", indent: 0 },
      result: "[1.50]",
    },
    {
      title: "Paths of the matches; integers beyond 2^53 are compared exactly",
      input: {
        data: '{"__proto__":[9007199254740993]}',
        query: "$..[?@ > 9007199254740992]",
        output: "nodes",
      },
      result:
        '[\n  {\n    "path": "$[\'__proto__\'][0]",\n    "pointer": "/__proto__/0",\n    "value": 9007199254740993\n  }\n]',
    },
    {
      title: "JMESPath",
      input: {
        data: '{"p":[{"name":"b","age":30},{"name":"a","age":25}]}',
        query: "p[?age > `26`].{n: name} | [0].n",
        language: "jmespath",
      },
      result: '"b"',
    },
    {
      title: "JSONata",
      input: {
        data: '{"id":12345678901234567890,"items":[{"price":2.50,"n":2},{"price":1.25,"n":4}]}',
        query: '{"total": $sum(items.(price * n)), "first": items[0]}',
        language: "jsonata",
        indent: 0,
      },
      result: '{"total":10,"first":{"price":2.50,"n":2}}',
    },
    {
      title: "Raw: one match a line, strings without quotes",
      input: { data: '{"a":["x y",1.0,{"b":null}]}', query: "$.a[*]", output: "raw" },
      result: 'x y\n1.0\n{"b":null}',
    },
  ],
  isolate: "process",
  async run({ data, indent, dialect, seed, now: time, ...query }) {
    const { language, output } = query;
    checkQuery(query);
    const document = readJson(data, dialect);
    const world = { seed, now: time === undefined ? undefined : Date.parse(time) };
    const work = () => refusingJson(data, dialect, () => queryJson(document, query, world));
    const answer = await refusingOption("query", work);
    if (output !== "raw") return writeValue(answer, indent);
    return writeLines(language !== "pointer" && isList(answer) ? answer : [answer]);
  },
});
