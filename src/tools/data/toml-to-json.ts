import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { toJson } from "../../lib/data/to-json.ts";
import { fromToml } from "../../lib/toml/from-toml.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "toml-to-json",
  title: "TOML to JSON",
  summary: "Convert a TOML document to JSON; dates, inf and nan become strings.",
  page: { tile: "Configuration as JSON", view: "code:json+tree", options: ["version", "indent"] },
  accepts: "TOML",
  aliases: "toml2json, parse toml, toml parser, pyproject.toml, cargo.toml, read toml, tomllib",
  input: z.object({
    data: z.string().describe("The TOML document"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
    version: z
      .enum(["1.0", "1.1"])
      .default("1.1")
      .describe(
        "TOML version; 1.1 accepts every TOML 1.0 document, 1.0 refuses syntax that was added in 1.1",
      ),
  }),
  // Deep nesting multiplied by indentation can turn kilobytes into tens of megabytes.
  isolate: "process",
  examples: [
    {
      input: { data: 'title = "x"\n\n[owner]\nsince = 1979-05-27\n' },
      result: '{\n  "title": "x",\n  "owner": {\n    "since": "1979-05-27"\n  }\n}',
    },
    {
      title: "Numbers keep their digits, keys their order; a multi-line inline table is TOML 1.1",
      input: {
        data: "z = 1.0\nbig = 123456789012345678901234567890\nhex = 0xdead_beef\na.b = { c = 07:32,\n  d = inf, }\n",
        indent: 0,
      },
      result:
        '{"z":1.0,"big":123456789012345678901234567890,"hex":3735928559,"a":{"b":{"c":"07:32:00","d":"inf"}}}',
    },
  ],
  run: ({ data, indent, version }) => refusing(data, () => toJson(fromToml(data, { version }), indent)),
});
