import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { isDictionary } from "../../lib/data/value.ts";
import { jsonText } from "../../lib/edit/json-text.ts";
import { rewriteText } from "../../lib/merge/merge-text.ts";
import { readJson, refusingJson } from "../json-dialect.ts";
import { writeValue } from "../json-value.ts";
import { mergeAll, mergerFields } from "../merger-fields.ts";

export default defineTool({
  slug: "json-merger",
  title: "JSON merger",
  version: "1.0.1",
  summary: "Merge two or more JSON documents deeply, the later over the earlier; numbers stay as written.",
  page: {
    tile: "Later documents over earlier ones",
    layout: "compare",
    view: "code:json+diff",
    options: ["arrays", "arrayKey", "null", "conflict", "layout"],
    second: "other",
    labels: { data: "Document", other: "Over it", arrayKey: "Key of items", null: "Null in a later one" },
  },
  accepts: "JSON",
  aliases:
    "jq -s '.[0] * .[1]', lodash.merge, deepmerge, deep merge json, merge json files, combine json, merge two json, override json, merge config, overlay json",
  input: z.object({
    data: z.string().describe("The first JSON document"),
    other: z.string().max(16_777_216).meta({ json: true }).describe("The document that is merged over it"),
    ...mergerFields,
    layout: z
      .enum(["new", "keep"])
      .default("new")
      .describe(
        "Layout of the result: new writes it with indent, keep changes the text of the first document in place",
      ),
    dialect: z
      .enum(["json", "jsonc", "json5"])
      .default("json")
      .describe(
        "Dialect of the documents: json (RFC 8259), jsonc or json5; comments stay where layout is keep",
      ),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
  }),
  isolate: "process",
  examples: [
    {
      input: {
        data: '{"port":8080,"db":{"host":"localhost","pool":5},"debug":true,"rate":1.50}',
        other: '{"db":{"host":"db.example.com"},"debug":null}',
        indent: 0,
      },
      result: '{"port":8080,"db":{"host":"db.example.com","pool":5},"rate":1.50}',
    },
    {
      title: "Items are found by their name",
      input: {
        data: '{"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}',
        other: '{"env":[{"name":"B","value":"3"},{"name":"C","value":"4"}]}',
        arrays: "key",
        indent: 0,
      },
      result: '{"env":[{"name":"A","value":"1"},{"name":"B","value":"3"},{"name":"C","value":"4"}]}',
    },
    {
      title: "Comments and layout of the first document stay",
      input: {
        data: '{\n  // for all\n  "strict": false, // for now\n  "lib": ["dom"]\n}\n',
        other: '{"strict":true}',
        others: ['{"lib":["es2024"],"noEmit":true}'],
        arrays: "union",
        layout: "keep",
        dialect: "jsonc",
      },
      result:
        '{\n  // for all\n  "strict": true, // for now\n  "lib": ["dom", "es2024"],\n  "noEmit": true\n}\n',
    },
  ],
  run({ data, other, others, layout, dialect, indent, ...rules }) {
    const first = readJson(data, dialect);
    const later = [other, ...others].map((text, at) => {
      const field = at === 0 ? "other" : "others";
      return { text, field, value: readJson(text, dialect, field) };
    });
    const merged = mergeAll(first, later, rules);
    if (layout === "new" || !isDictionary(first) || !isDictionary(merged)) return writeValue(merged, indent);
    return refusingJson(data, dialect, () => rewriteText(data, jsonText(dialect), first, merged));
  },
});
