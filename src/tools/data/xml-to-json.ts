import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { toJson } from "../../lib/data/to-json.ts";
import { decodeXml } from "../../lib/xml/decode.ts";
import { readXml } from "../../lib/xml/read.ts";
import { refusing } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("The XML document; entities declared in its DOCTYPE are refused, not expanded"),
  indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
  attributes: z.string().max(32).default("@").describe("Prefix of the keys of attributes"),
  text: z
    .string()
    .min(1)
    .max(32)
    .default("#text")
    .describe("Key of the text in an element that also has attributes or children"),
  arrays: z
    .enum(["auto", "always"])
    .default("auto")
    .describe(
      "Elements that become arrays: auto converts elements that occur more than once in their parent, always every element except the root",
    ),
  types: z
    .enum(["none", "infer"])
    .default("none")
    .describe(
      "Types of values: none keeps every value as text; infer converts true, false and numbers that a double holds exactly",
    ),
});

export default defineTool({
  slug: "xml-to-json",
  title: "XML to JSON",
  summary: "Convert an XML document to JSON.",
  page: {
    tile: "Elements as objects",
    view: "code:json+tree",
    options: ["attributes", "arrays", "indent"],
    labels: {
      attributes: "Prefix of attributes",
      arrays: "Arrays",
      "arrays=auto": "Where repeated",
      "arrays=always": "Always",
    },
  },
  accepts: "XML",
  aliases:
    "xml2json, xml2js, parse xml, xml parser, soap to json, rss to json, feed to json, xq, fast-xml-parser, pom.xml",
  input,
  isolate: "process",
  examples: [
    {
      input: { data: '<user id="007"><name>Ada</name><tag>a</tag><tag>b</tag></user>', indent: 0 },
      result: '{"user":{"@id":"007","name":"Ada","tag":["a","b"]}}',
    },
    {
      title: "Text with an attribute, an empty element, a CDATA section and inferred types",
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
