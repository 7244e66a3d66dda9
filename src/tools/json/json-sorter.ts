import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { formatJsonText, maxResultBytes, minifyJsonText } from "../../lib/json/format.ts";
import { dialectOption } from "../../lib/json-files.ts";
import { formatDialect } from "../../lib/json/format-dialect.ts";
import { sortDocument } from "../../lib/json/sort-document.ts";
import { checkDialectSize, keptDialect, refusingJson } from "../json-dialect.ts";
import { warnOfMark } from "../json-mark.ts";

/** Deeper documents are refused, because comparing nested values costs their size once per level. */
const maxDepth = 1000;

export default defineTool({
  slug: "json-sorter",
  title: "JSON sorter",
  version: "1.2.0",
  summary: "Sort the keys of objects, and optionally the items of arrays, without changing a single value.",
  page: {
    tile: "Keys, and items if you like",
    view: "code:json",
    options: ["order", "arrays", "indent"],
    labels: { "arrays=keep": "Keep", "arrays=sort": "Sort" },
  },
  accepts: "JSON",
  aliases:
    "sort json, sort json keys, jq -S, sort keys, order keys alphabetically, json key sorter, sort-keys, sort package.json, alphabetize json, sort array in json, normalize json order, deterministic json",
  input: z.object({
    data: z.string().describe("The JSON document"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
    useTabs: z.boolean().default(false).describe("Indent with one tab per level instead of spaces"),
    dialect: keptDialect,
    order: z
      .enum(["asc", "desc"])
      .default("asc")
      .describe("Order of the decoded keys, by Unicode code point; equal keys keep their relative order"),
    arrays: z
      .enum(["keep", "sort"])
      .default("keep")
      .describe(
        "Order of array items: keep leaves them, sort puts null, false, true, numbers by value, strings, arrays and objects in this order",
      ),
  }),
  examples: [
    { input: { data: '{"b":1,"a":{"d":2,"c":3}}', indent: 0 }, result: '{"a":{"c":3,"d":2},"b":1}' },
    {
      title: "By code point, B sorts before a and 10 before 9; numbers and escapes are preserved",
      input: { data: '{"a":1.0,"B":1e2,"9":"\\u00e9","10":-0,"__proto__":[]}' },
      result: '{\n  "10": -0,\n  "9": "\\u00e9",\n  "B": 1e2,\n  "__proto__": [],\n  "a": 1.0\n}',
    },
    {
      title: "Arrays sorted, numbers by value",
      input: { data: '[{"a":1},"b",10,9,1e1,[],null,true]', indent: 0, arrays: "sort" },
      result: '[null,true,9,10,1e1,"b",[],{"a":1}]',
    },
    {
      title: "Comments move with their members",
      input: { data: '{\n  // last\n  "b": 1, // one\n  "a": 2,\n}', dialect: "jsonc" },
      result: '{\n  "a": 2,\n  // last\n  "b": 1 // one\n}',
    },
  ],
  isolate: "process",
  check: "change",
  fileOptions: dialectOption,
  warn: warnOfMark,
  run({ data, indent, useTabs, dialect, ...sort }) {
    if (dialect !== "json") checkDialectSize(data.length);
    return refusingJson(data, dialect, () => {
      if (dialect !== "json")
        return formatDialect(data, { dialect, indent, useTabs, sort, maxDepth, maxLength: maxResultBytes });
      return formatJsonText(sortDocument(minifyJsonText(data, { maxDepth }), sort), { indent, useTabs });
    });
  },
});
