import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { queryJson, queryLanguages } from "../../lib/query-json.ts";
import { readValue, writeValue } from "../json-value.ts";
import { now } from "../now.ts";
import { refuse, refusing, refusingOption } from "../refusing.ts";

export default defineTool({
  slug: "json-query",
  title: "JSON query",
  summary: "Select values of a JSON document with JSONPath, JMESPath, JSONata or a pointer.",
  input: z.object({
    data: z.string().describe("The JSON document"),
    query: z.string().max(10_000).describe("The query, in the language that is chosen"),
    language: z
      .enum(queryLanguages)
      .default("jsonpath")
      .describe(
        "jsonpath is RFC 9535, pointer RFC 6901, jmespath that of jmespath.org, jsonata that of jsonata.org, which computes with doubles: a number that it would change is refused; the others have numbers as written",
      ),
    output: z
      .enum(["values", "nodes"])
      .default("values")
      .describe(
        "values are a list with jsonpath, and what is found itself, or null, with the others; nodes tell path, pointer and value, with jsonpath and pointer",
      ),
    indent: z.int().min(0).max(10).default(2).describe("Spaces of indentation; 0 puts it on one line"),
    seed: z.string().max(1024).optional().describe("What $random and $shuffle of jsonata follow from"),
    now: now.describe("The time (RFC 3339) that $now and $millis of jsonata tell"),
  }),
  examples: [
    {
      input: { data: '{"a":[{"n":1.50},{"n":20}]}', query: "$.a[?@.n < 2].n", indent: 0 },
      result: "[1.50]",
    },
    {
      title: "Where things are; integers beyond 2^53 are compared as they are written",
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
  ],
  isolate: "process",
  async run({ data, indent, seed, now: time, ...query }) {
    const { language, output } = query;
    if (output === "nodes" && (language === "jmespath" || language === "jsonata"))
      throw invalidField("output", `What ${language} gives is made, not found: it has no nodes. Use values.`);
    const document = readValue(data);
    const world = { seed, now: time === undefined ? undefined : Date.parse(time) };
    const work = () => refusing(data, () => queryJson(document, query, world));
    const answer = await refusingOption("query", work);
    if (answer === undefined)
      throw refuse(data, { pointer: query.query }, "There is nothing at this pointer.");
    return writeValue(answer, indent);
  },
});
