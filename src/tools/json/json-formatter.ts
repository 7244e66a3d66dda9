import { z } from "zod";
import { defineTool, maxDocument } from "../../catalog/tool.ts";
import { dialectOption } from "../../lib/json-files.ts";
import { formatBytes, formatText, openObjects } from "../format-json.ts";
import { keptDialect } from "../json-dialect.ts";
import { warnOfMark } from "../json-mark.ts";

export default defineTool({
  slug: "json-formatter",
  title: "JSON formatter",
  version: "1.3.0",
  summary: "Indent a JSON document without changing a single value.",
  page: {
    tile: "Indent, fold, browse as a tree",
    view: "code:json+tree",
    tab: "Formatted",
    options: ["indent", "dialect", "sortKeys"],
  },
  accepts: "JSON",
  aliases:
    "json, prettify, beautify, pretty print, json pretty print, json prettify, json beautifier, format json, json viewer, jq ., json.tool, python -m json.tool, indent json, prettier, jsonfmt, fix indentation, unminify json, expand json, json tree, tsconfig.json, package.json, json with comments, jsonc, json5, json.stringify indent, readable json, tidy json",
  input: z.object({
    data: z.string().describe("The JSON document"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
    useTabs: z
      .boolean()
      .default(false)
      .describe("Indent with one tab per level instead of spaces; a tab counts as indent columns of width"),
    width: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe(
        "Put arrays and objects that fit into this many columns on one line; 0 gives every item its own line",
      ),
    objects: openObjects,
    dialect: keptDialect,
    sortKeys: z
      .boolean()
      .default(false)
      .describe("Sort the keys of every object by Unicode code point; equal keys keep their order"),
    duplicateKeys: z
      .enum(["keep", "error"])
      .default("keep")
      .describe("Handling of duplicate keys in an object: keep both, or report an error"),
  }),
  examples: [
    { input: { data: '{"a":1}' }, result: '{\n  "a": 1\n}' },
    {
      title: "Numbers, escapes, key order and duplicate keys are preserved",
      input: { data: '{"b":12345678901234567890,"2":1.0,"b":-0,"u":"\\u00e9\\/","e":{},"l":[1E400]}' },
      result:
        '{\n  "b": 12345678901234567890,\n  "2": 1.0,\n  "b": -0,\n  "u": "\\u00e9\\/",\n  "e": {},\n  "l": [\n    1E400\n  ]\n}',
    },
    {
      title: "Sorted keys, on one line",
      input: { data: '{"b": {"d": 1, "c": 2}, "a": [3]}', indent: 0, sortKeys: true },
      result: '{"a":[3],"b":{"c":2,"d":1}}',
    },
    {
      title: "Comments are kept, and what fits into 40 columns stands on one line",
      input: {
        data: '{\n // why\n"a":[1,2,3], // all\n"b":{"c":[true,],},}',
        dialect: "jsonc",
        width: 40,
      },
      result: '{\n  // why\n  "a": [1, 2, 3], // all\n  "b": { "c": [true] }\n}',
    },
    {
      title: "What is open stays open, as in files that Prettier has formatted",
      input: {
        data: '{"a": {\n"b": [1, 2], "c": {"d": true}}, "e": [{"f": 1, "g": 2}, {"f": 3, "g": 4}]}',
        objects: "keep",
      },
      result:
        '{\n  "a": {\n    "b": [1, 2],\n    "c": { "d": true }\n  },\n  "e": [\n    { "f": 1, "g": 2 },\n    { "f": 3, "g": 4 }\n  ]\n}',
    },
  ],
  check: "change",
  fileOptions: dialectOption,
  warn: warnOfMark,
  run: ({ data, ...options }, context) => formatText(data, options, context),
  maxBytes: maxDocument,
  runBytes: formatBytes,
});
