import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { readGron } from "../../lib/flat/read-gron.ts";
import { unflattenValue } from "../../lib/flat/unflatten.ts";
import { flatSeparator, flatStyle } from "../flat-style.ts";
import { readValue, writeValue } from "../json-value.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "json-unflattener",
  title: "JSON unflattener",
  summary:
    "Make a JSON document of values with their paths: lines of gron, also a part of them, or a flat object.",
  page: {
    tile: "Paths back to a document",
    view: "code:json+tree",
    options: ["style", "separator", "arrays", "indent"],
    labels: {
      style: "Paths",
      "style=gron": "Lines (gron)",
      "style=dotted": "a.b.0",
      "style=pointer": "/a/b/0",
    },
  },
  accepts: "lines of gron, or a flat JSON object",
  aliases:
    "gron -u, ungron, gron --ungron, unflatten json, unflatten object, nest json, nest dotted keys, expand dotted keys, flat to nested, deflatten",
  input: z.object({
    data: z.string().describe("The lines, or the flat JSON object; values are JSON"),
    style: flatStyle.describe(
      "Form of the paths: lines of gron such as json.a[0] = 1; or a JSON object with dotted names or with JSON pointers (RFC 6901)",
    ),
    separator: flatSeparator,
    arrays: z
      .enum(["index", "brackets", "none"])
      .default("index")
      .describe(
        "Arrays in names: index makes one of an object whose keys are 0, 1 and so on; brackets reads a[0] in dotted names; none makes no arrays",
      ),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
  }),
  isolate: "process",
  examples: [
    {
      title: "What grep has left of the lines",
      input: { data: 'json.users[1].name = "Ada";\njson.users[1].id = 12345678901234567890;\n', indent: 0 },
      result: '{"users":[null,{"name":"Ada","id":12345678901234567890}]}',
    },
    {
      title: "Dotted names",
      input: { data: '{"menu.file":"File","menu.items.0":"Open","none":{}}', style: "dotted" },
      result:
        '{\n  "menu": {\n    "file": "File",\n    "items": [\n      "Open"\n    ]\n  },\n  "none": {}\n}',
    },
    {
      title: "JSON pointers",
      input: { data: '{"/a~1b/0/c.d":1}', style: "pointer", indent: 0 },
      result: '{"a/b":[{"c.d":1}]}',
    },
  ],
  run({ data, style, indent, ...paths }) {
    if (style === "gron")
      return writeValue(
        refusing(data, () => readGron(data)),
        indent,
      );
    const flat = readValue(data);
    return writeValue(
      refusing(data, () => unflattenValue(flat, { style, ...paths })),
      indent,
    );
  },
});
