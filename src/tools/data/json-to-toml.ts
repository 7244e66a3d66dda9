import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { fromJson } from "../../lib/data/from-json.ts";
import { withoutNulls } from "../../lib/data/without-nulls.ts";
import { toToml } from "../../lib/toml/to-toml.ts";
import { readDialect, refusingJson } from "../json-dialect.ts";

export default defineTool({
  slug: "json-to-toml",
  title: "JSON to TOML",
  version: "1.2.1",
  summary: "Convert a JSON object to TOML, preserving numbers as written and the order of keys.",
  page: { tile: "Numbers and order kept", view: "code:toml", options: ["dialect"] },
  accepts: "a JSON object",
  aliases: "json2toml, toml writer, cargo.toml, pyproject.toml, to toml, make toml",
  input: z.object({
    data: z
      .string()
      .describe(
        "The JSON document, an object; null is refused, because TOML cannot represent it, unless nulls is omit",
      ),
    dialect: readDialect,
    indent: z
      .int()
      .min(0)
      .max(10)
      .default(2)
      .describe(
        "Spaces before the items of an array that is too long for one line; 0 keeps every array on one line",
      ),
    nulls: z
      .enum(["error", "omit"])
      .default("error")
      .describe("Handling of members that are null: error refuses them, omit leaves them out"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: '{"title":"x","owner":{"name":"Ada","tags":["a","b"]}}' },
      result: 'title = "x"\n\n[owner]\nname = "Ada"\ntags = ["a", "b"]\n',
    },
    {
      title:
        "Dotted keys preserve the order of a table before a plain value; arrays of tables, quoted keys and multi-line strings",
      input: {
        data: '{"a":{"x y":1.0,"b":{}},"n":-0,"text":"one\\ntwo","list":[{"id":12345678901234567890},{"s":{"k":true}}]}',
      },
      result:
        'a."x y" = 1.0\na.b = {}\nn = -0\ntext = """\none\ntwo"""\n\n[[list]]\nid = 12345678901234567890\n\n[[list]]\n\n[list.s]\nk = true\n',
    },
  ],
  run: ({ data, dialect, indent, nulls }) =>
    refusingJson(data, dialect, () => {
      const value = fromJson(data, dialect);
      return toToml(nulls === "omit" ? withoutNulls(value) : value, indent);
    }),
});
