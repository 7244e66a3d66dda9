import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { declareUtf8, decodeXml } from "../../lib/xml/decode.ts";
import { formatXmlText } from "../format-xml.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "xml-formatter",
  title: "XML formatter",
  version: "1.2.0",
  summary: "Indent an XML document or fragment without changing its content.",
  page: {
    tile: "Indent without changing content",
    view: "code:xml",
    options: ["indent", "width", "fragment"],
    labels: { fragment: "Allow a fragment", width: "Line width" },
  },
  accepts: "XML",
  aliases:
    "xml, xml pretty print, xml beautifier, prettify xml, format xml, xmllint --format, indent xml, beautify xml, xml viewer, tidy xml, svg formatter, soap envelope, xml minify, minify xml, compact xml, pom.xml, prettify, beautify",
  input: z.object({
    data: z
      .string()
      .describe("The XML document; comments, CDATA, references and the DOCTYPE are kept as written"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 adds no line breaks"),
    useTabs: z
      .boolean()
      .default(false)
      .describe("Indent with one tab per level instead of spaces; a tab counts as indent columns of width"),
    width: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe("Put each attribute of a tag that ends beyond this column on its own line; 0 for no limit"),
    attributesPerLine: z
      .boolean()
      .default(false)
      .describe("Put each attribute on its own line, in tags with several"),
    whitespace: z
      .enum(["preserve-mixed", "preserve", "collapse"])
      .default("preserve-mixed")
      .describe(
        "Handling of white space: preserve-mixed leaves elements with text unchanged; preserve reformats tags only; collapse replaces each run of white space with one space; all of them respect xml:space",
      ),
    fragment: z
      .boolean()
      .default(true)
      .describe("Accept several roots, text outside of them and undeclared entities"),
  }),
  whenOff: { fragment: "Refuse several roots, text outside of them and undeclared entities" },
  isolate: "process",
  examples: [
    { input: { data: "<a><b>1</b><c/></a>" }, result: "<a>\n  <b>1</b>\n  <c/>\n</a>" },
    {
      title: "Mixed content and CDATA sections are preserved, and prefixes need no declaration",
      input: { data: "<x:a><p>one <b>two</b> three</p><!-- c --><s><![CDATA[ <&> ]]></s></x:a>" },
      result: "<x:a>\n  <p>one <b>two</b> three</p>\n  <!-- c -->\n  <s><![CDATA[ <&> ]]></s>\n</x:a>",
    },
    {
      title: "One attribute per line",
      input: { data: "<a  id='1'   name=\"x\"/>", attributesPerLine: true },
      result: "<a\n  id='1'\n  name=\"x\"/>",
    },
    {
      title: "Tabs, and attributes on lines of their own in long tags only",
      input: { data: '<a b="1"><c first="one" second="two">x</c></a>', useTabs: true, width: 24 },
      result: '<a b="1">\n\t<c\n\t\tfirst="one"\n\t\tsecond="two">x</c>\n</a>',
    },
  ],
  check: "change",
  run: ({ data, ...options }) => formatXmlText(data, options),
  runBytes(bytes, options) {
    const data = refusing(bytes, () => declareUtf8(decodeXml(bytes)));
    return formatXmlText(data, options);
  },
});
