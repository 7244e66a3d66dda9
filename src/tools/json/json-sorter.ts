import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { formatJsonText, minifyJsonText } from "../../lib/json/format.ts";
import { sortDocument } from "../../lib/json/sort-document.ts";
import { refusing } from "../refusing.ts";

/** Deeper documents are refused: comparing what is nested costs its size once a level. */
const maxDepth = 1000;

export default defineTool({
  slug: "json-sorter",
  title: "JSON sorter",
  summary: "Sort the keys of every object, and arrays too if asked, without changing a single value.",
  input: z.object({
    data: z.string().describe("The JSON document"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces of indentation; 0 puts it on one line"),
    order: z
      .enum(["asc", "desc"])
      .default("asc")
      .describe("Order of the decoded keys by Unicode code point; equal keys keep their order"),
    arrays: z
      .enum(["keep", "sort"])
      .default("keep")
      .describe(
        "sort orders the items of arrays: null, false, true, numbers by value, strings, arrays, objects",
      ),
  }),
  examples: [
    { input: { data: '{"b":1,"a":{"d":2,"c":3}}', indent: 0 }, result: '{"a":{"c":3,"d":2},"b":1}' },
    {
      title: "By code point: B before a, 10 before 9; numbers and escapes stay as they are written",
      input: { data: '{"a":1.0,"B":1e2,"9":"\\u00e9","10":-0,"__proto__":[]}' },
      result: '{\n  "10": -0,\n  "9": "\\u00e9",\n  "B": 1e2,\n  "__proto__": [],\n  "a": 1.0\n}',
    },
    {
      title: "Arrays sorted, numbers by value",
      input: { data: '[{"a":1},"b",10,9,1e1,[],null,true]', indent: 0, arrays: "sort" },
      result: '[null,true,9,10,1e1,"b",[],{"a":1}]',
    },
  ],
  isolate: "process",
  check: "change",
  run: ({ data, indent, ...options }) =>
    refusing(data, () =>
      formatJsonText(sortDocument(minifyJsonText(data, { maxDepth }), options), { indent }),
    ),
});
