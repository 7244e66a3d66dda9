import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { toJson } from "../../lib/data/to-json.ts";
import { decodeXml } from "../../lib/xml/decode.ts";
import { readXml } from "../../lib/xml/read.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .describe("The XML document; entities that its DOCTYPE declares are not expanded but refused"),
  indent: z.int().min(0).max(10).default(2).describe("Spaces of indentation; 0 puts it on one line"),
  attributes: z
    .string()
    .max(32)
    .default("@")
    .describe("What stands before the name of an attribute to make its key"),
  text: z
    .string()
    .min(1)
    .max(32)
    .default("#text")
    .describe("The key of the text of an element that has attributes or children too"),
  arrays: z
    .enum(["auto", "always"])
    .default("auto")
    .describe(
      "auto makes an array of elements that occur more than once in one place; always of each but the root",
    ),
  types: z
    .enum(["none", "infer"])
    .default("none")
    .describe(
      "Whether true, false and numbers that no reader rounds become booleans and numbers, or stay text",
    ),
});

export default defineTool({
  slug: "xml-to-json",
  title: "XML to JSON",
  summary: "Convert an XML document to JSON.",
  input,
  isolate: "process",
  examples: [
    {
      input: { data: '<user id="007"><name>Ada</name><tag>a</tag><tag>b</tag></user>', indent: 0 },
      result: '{"user":{"@id":"007","name":"Ada","tag":["a","b"]}}',
    },
    {
      title: "Text beside an attribute, an empty element, a section, and types",
      input: {
        data: '<a><n unit="s">1.50</n><zip>01234</zip><e/><c><![CDATA[<b>]]></c></a>',
        indent: 0,
        types: "infer",
      },
      result: '{"a":{"n":{"@unit":"s","#text":1.50},"zip":"01234","e":"","c":"<b>"}}',
    },
  ],
  run: ({ data, ...options }) => convert(data, options),
  runBytes: (data, options) =>
    convert(
      refusing(data, () => decodeXml(data)),
      options,
    ),
});

const convert = (data: string, { indent, ...options }: Omit<z.output<typeof input>, "data">): string =>
  refusing(data, () => toJson(readXml(data, options), indent));
