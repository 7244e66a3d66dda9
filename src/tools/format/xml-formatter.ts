import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { declareUtf8, decodeXml } from "../../lib/xml/decode.ts";
import { formatXml } from "../../lib/xml/format.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "xml-formatter",
  title: "XML formatter",
  version: "1.1.0",
  summary: "Indent an XML document or fragment without changing what it says.",
  input: z.object({
    data: z
      .string()
      .describe("The XML document; comments, CDATA, references and the DOCTYPE are kept as written"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces of indentation; 0 adds no line ends"),
    attributesPerLine: z
      .boolean()
      .default(false)
      .describe("Whether a tag with several attributes has a line for each of them"),
    whitespace: z
      .enum(["preserve-mixed", "preserve", "collapse"])
      .default("preserve-mixed")
      .describe(
        "preserve-mixed leaves an element with text as it is; preserve changes tags only; collapse makes each run of white space one space; xml:space counts in all of them",
      ),
    fragment: z
      .boolean()
      .default(true)
      .describe("Whether several roots, text beside them and entities that nothing declares are taken"),
  }),
  whenOff: { fragment: "Refuse several roots, text beside them and undeclared entities" },
  isolate: "process",
  examples: [
    { input: { data: "<a><b>1</b><c/></a>" }, result: "<a>\n  <b>1</b>\n  <c/>\n</a>" },
    {
      title: "Text keeps its space, a section its markup, and a prefix needs no declaration",
      input: { data: "<x:a><p>one <b>two</b> three</p><!-- c --><s><![CDATA[ <&> ]]></s></x:a>" },
      result: "<x:a>\n  <p>one <b>two</b> three</p>\n  <!-- c -->\n  <s><![CDATA[ <&> ]]></s>\n</x:a>",
    },
    {
      title: "One attribute a line",
      input: { data: "<a  id='1'   name=\"x\"/>", attributesPerLine: true },
      result: "<a\n  id='1'\n  name=\"x\"/>",
    },
  ],
  check: "change",
  run: ({ data, ...options }) => refusing(data, () => formatXml(data, options)),
  runBytes(bytes, options) {
    const data = refusing(bytes, () => declareUtf8(decodeXml(bytes)));
    return refusing(data, () => formatXml(data, options));
  },
});
