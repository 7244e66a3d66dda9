import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { runJmespath } from "../../lib/jmespath/run.ts";
import { followPointer, toNodeList } from "../../lib/jsonpath/nodes.ts";
import { QueryError } from "../../lib/jsonpath/query.ts";
import { runQuery } from "../../lib/jsonpath/run.ts";
import { readValue, refuseValueAt, writeValue } from "../json-value.ts";

export default defineTool({
  slug: "json-query",
  title: "JSON query",
  summary: "Select values of a JSON document with JSONPath, JMESPath or a pointer, numbers as written.",
  input: z.object({
    data: z.string().describe("The JSON document"),
    query: z.string().max(10_000).describe("The query, in the language that is chosen"),
    language: z
      .enum(["jsonpath", "pointer", "jmespath"])
      .default("jsonpath")
      .describe("jsonpath is RFC 9535, pointer RFC 6901, jmespath the language of jmespath.org"),
    output: z
      .enum(["values", "nodes"])
      .default("values")
      .describe(
        "values are a list with jsonpath, and what is found itself with the others; nodes tell path, pointer and value, not with jmespath",
      ),
    indent: z.int().min(0).max(10).default(2).describe("Spaces of indentation; 0 puts it on one line"),
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
  ],
  isolate: true,
  async run({ data, query, language, output, indent }) {
    const document = readValue(data);
    if (language === "jmespath" && output === "nodes")
      throw invalidField("output", "What JMESPath gives is made, not found: it has no nodes. Use values.");
    try {
      if (language === "jmespath") return writeValue(runJmespath(query, document), indent);
      const one = language === "pointer" ? followPointer(document, query) : undefined;
      if (language === "pointer" && one === undefined)
        throw refuseValueAt(data, query, "There is nothing at this pointer.");
      if (one !== undefined && output === "values") return writeValue(one.value, indent);
      const nodes = one === undefined ? await runQuery(query, document) : [one];
      return writeValue(output === "nodes" ? toNodeList(nodes) : nodes.map(({ value }) => value), indent);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const place = error.index === undefined ? "" : `, at character ${error.index + 1}`;
      throw invalidField("query", `${error.message.replace(/\.$/, "")}${place}.`);
    }
  },
});
