import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { toJson } from "../../lib/data/to-json.ts";
import { fromToml } from "../../lib/toml/from-toml.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "toml-to-json",
  title: "TOML to JSON",
  summary: "Convert a TOML document to JSON; dates, inf and nan become strings.",
  input: z.object({
    data: z.string().describe("The TOML document"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces of indentation; 0 puts it on one line"),
    version: z
      .enum(["1.0", "1.1"])
      .default("1.1")
      .describe("1.1 reads every document of 1.0; 1.0 refuses what came with 1.1"),
  }),
  // Nesting times indentation: kilobytes become tens of megabytes.
  isolate: "process",
  examples: [
    {
      input: { data: 'title = "x"\n\n[owner]\nsince = 1979-05-27\n' },
      result: '{\n  "title": "x",\n  "owner": {\n    "since": "1979-05-27"\n  }\n}',
    },
    {
      title: "Numbers keep their digits, keys their order; a table in braces over several lines is TOML 1.1",
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
