import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { flattenValue } from "../../lib/flat/flatten.ts";
import { writeGron } from "../../lib/flat/gron.ts";
import { flatSeparator, flatStyle } from "../flat-style.ts";
import { readDialect, readJson, refusingJson } from "../json-dialect.ts";
import { writeValue } from "../json-value.ts";

export default defineTool({
  slug: "json-flattener",
  title: "JSON flattener",
  summary:
    "Write each value of a JSON document with its whole path: as lines to search, or as one flat object.",
  page: {
    tile: "Each value with its path, as gron",
    view: "text",
    options: ["style", "separator", "arrays", "sort"],
    labels: {
      style: "Paths",
      "style=gron": "Lines (gron)",
      "style=dotted": "a.b.0",
      "style=pointer": "/a/b/0",
      sort: "Sorted keys",
    },
  },
  accepts: "JSON",
  aliases:
    "gron, flatten json, json flatten, greppable json, grep json, flatten nested json, json paths, dotted keys, list all paths, json to flat object, jq paths, leaf paths",
  input: z.object({
    data: z.string().describe("The JSON document"),
    style: flatStyle.describe(
      "Form of the result: gron writes a line for each value, json.a[0] = 1; dotted writes a JSON object with names such as a.0, pointer one with JSON pointers (RFC 6901)",
    ),
    separator: flatSeparator,
    arrays: z
      .enum(["index", "brackets"])
      .default("index")
      .describe(
        "Items of arrays in dotted names: a.0 or a[0]; with brackets json-unflattener tells them from keys",
      ),
    sort: z
      .boolean()
      .default(false)
      .describe(
        "Sort the lines as gron does without --no-sort: names before keys in quotes, each by code point",
      ),
    dialect: readDialect,
    indent: z
      .int()
      .min(0)
      .max(10)
      .default(2)
      .describe("Spaces before each member of a flat object; 0 for a single line"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: '{"user":{"name":"Ada","e-mail":null},"ids":[12345678901234567890,1.0]}' },
      result:
        'json = {};\njson.user = {};\njson.user.name = "Ada";\njson.user["e-mail"] = null;\njson.ids = [];\njson.ids[0] = 12345678901234567890;\njson.ids[1] = 1.0;',
    },
    {
      title: "A flat object with dotted names, such as those of translations",
      input: { data: '{"menu":{"file":"File","items":["Open","Save"]},"none":{}}', style: "dotted" },
      result:
        '{\n  "menu.file": "File",\n  "menu.items.0": "Open",\n  "menu.items.1": "Save",\n  "none": {}\n}',
    },
    {
      title: "JSON pointers hold any key",
      input: { data: '{"a/b":[{"c.d":1}]}', style: "pointer", indent: 0 },
      result: '{"/a~1b/0/c.d":1}',
    },
  ],
  run({ data, style, sort, dialect, indent, ...names }) {
    const value = readJson(data, dialect);
    return refusingJson(data, dialect, () =>
      style === "gron"
        ? writeGron(value, sort)
        : writeValue(flattenValue(value, { style, ...names }), indent),
    );
  },
});
