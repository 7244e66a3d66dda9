import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { fromJson } from "../../lib/data/from-json.ts";
import { writeXml } from "../../lib/xml/write.ts";
import { readDialect, refusingJson } from "../json-dialect.ts";

export default defineTool({
  slug: "json-to-xml",
  title: "JSON to XML",
  version: "1.2.1",
  summary: "Convert a JSON document to XML.",
  page: {
    tile: "Elements and attributes",
    view: "code:xml",
    options: ["root", "indent"],
    labels: { root: "Root element" },
  },
  accepts: "JSON",
  aliases: "json2xml, js2xml, xml builder, to xml, json to soap",
  input: z.object({
    data: z.string().describe("The JSON document"),
    dialect: readDialect,
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
    attributes: z
      .string()
      .max(32)
      .default("@")
      .describe("Prefix of keys that become attributes; empty makes every key an element"),
    text: z
      .string()
      .min(1)
      .max(32)
      .default("#text")
      .describe("Key of the text in an element that also has attributes or children"),
    root: z
      .string()
      .max(256)
      .default("root")
      .describe("Name of the root element, unless data is an object with one key"),
    item: z
      .string()
      .max(256)
      .default("item")
      .describe("Name of the elements of an array without a key, such as an array in an array"),
    names: z
      .enum(["error", "replace"])
      .default("error")
      .describe(
        "Handling of keys that are no XML names: error refuses them, replace writes _ for what a name may not have",
      ),
    declaration: z.boolean().default(false).describe("Write an XML declaration"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: '{"user":{"@id":"007","name":"Ada","tag":["a","b"]}}' },
      result: '<user id="007">\n  <name>Ada</name>\n  <tag>a</tag>\n  <tag>b</tag>\n</user>',
    },
    {
      title: "A top-level array, exact numbers and characters that need escaping",
      input: { data: '[1.0, null, {"#text": "a<b & c", "@q": "\\"\\n"}]', declaration: true, root: "list" },
      result:
        '<?xml version="1.0" encoding="UTF-8"?>\n<list>\n  <item>1.0</item>\n  <item/>\n  <item q="&quot;&#10;">a&lt;b &amp; c</item>\n</list>',
    },
  ],
  run: ({ data, dialect, ...options }) =>
    refusingJson(data, dialect, () => writeXml(fromJson(data, dialect), options)),
});
