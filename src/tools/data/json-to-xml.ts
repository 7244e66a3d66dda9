import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { fromJson } from "../../lib/data/from-json.ts";
import { writeXml } from "../../lib/xml/write.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "json-to-xml",
  title: "JSON to XML",
  summary: "Convert a JSON document to XML.",
  input: z.object({
    data: z.string().describe("The JSON document"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces of indentation; 0 puts it on one line"),
    attributes: z
      .string()
      .max(32)
      .default("@")
      .describe("A key that begins with this is an attribute; empty makes every key an element"),
    text: z
      .string()
      .min(1)
      .max(32)
      .default("#text")
      .describe("The key of the text of an element that has attributes or children too"),
    root: z
      .string()
      .max(256)
      .default("root")
      .describe("The name of the root element where data is no object with one key"),
    item: z
      .string()
      .max(256)
      .default("item")
      .describe("The name of the elements of an array that has no key, such as one in another"),
    declaration: z.boolean().default(false).describe("Whether an XML declaration is written"),
  }),
  isolate: "process",
  examples: [
    {
      input: { data: '{"user":{"@id":"007","name":"Ada","tag":["a","b"]}}' },
      result: '<user id="007">\n  <name>Ada</name>\n  <tag>a</tag>\n  <tag>b</tag>\n</user>',
    },
    {
      title: "An array at the top, numbers as written, and characters that need escaping",
      input: { data: '[1.0, null, {"#text": "a<b & c", "@q": "\\"\\n"}]', declaration: true, root: "list" },
      result:
        '<?xml version="1.0" encoding="UTF-8"?>\n<list>\n  <item>1.0</item>\n  <item/>\n  <item q="&quot;&#10;">a&lt;b &amp; c</item>\n</list>',
    },
  ],
  run: ({ data, ...options }) => refusing(data, () => writeXml(fromJson(data), options)),
});
