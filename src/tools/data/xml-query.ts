import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { decodeXml } from "../../lib/xml/decode.ts";
import { queryXml } from "../../lib/xpath/query.ts";
import { readXmlTree } from "../../lib/xpath/tree.ts";
import { createToValue, toNodes, toXmlTexts } from "../../lib/xpath/write.ts";
import { writeLines, writeValue } from "../json-value.ts";
import { refusing, refusingOption } from "../refusing.ts";
import { readNamespaces, xmlQueryExamples } from "../xml-query-parts.ts";

const input = z.object({
  data: z.string().describe("The XML document; entities declared in its DOCTYPE are refused, not expanded"),
  query: z
    .string()
    .min(1)
    .max(10_000)
    .describe(
      "The XPath 3.1 expression, such as //book[price > 10]/title or sum(//price); it computes with doubles, and reads nothing but the document. The axes following and preceding of many nodes take quadratic time, until the deadline",
    ),
  namespaces: z
    .string()
    .max(65_536)
    .default("{}")
    .meta({ json: "object" })
    .describe(
      "Namespaces of prefixes in the query as a JSON object, under an empty key that of element names without a prefix; the prefixes that the root element declares are known",
    ),
  output: z
    .enum(["values", "nodes", "xml", "raw"])
    .default("values")
    .describe(
      "Form of the result: values returns a JSON array, nodes by their text; nodes returns path, kind, name, text and place of each node; xml writes each node as it is in the document; raw writes one result a line, strings without quotes",
    ),
  indent: z
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe("Spaces per level of JSON, 0 to 10; 0 for a single line"),
});

export default defineTool({
  slug: "xml-query",
  title: "XML query",
  summary: "Select nodes of an XML document and compute values (XPath 3.1).",
  page: {
    tile: "XPath 3.1 over XML",
    layout: "pattern",
    view: "code:json+tree",
    options: ["query", "output", "namespaces"],
    labels: { data: "Document" },
  },
  accepts: "XML",
  aliases:
    "xpath, xmllint --xpath, xmlstarlet sel, xpath tester, query xml, select from xml, extract from xml, xml path, filter xml",
  input,
  isolate: "process",
  examples: xmlQueryExamples,
  run: ({ data, ...options }) => query(data, options),
  runBytes: (data, options) =>
    query(
      refusing(data, () => decodeXml(data)),
      options,
    ),
});

async function query(data: string, given: Omit<z.output<typeof input>, "data">): Promise<string> {
  const { output, indent } = given;
  const namespaces = readNamespaces(given.namespaces);
  const tree = refusing(data, () => readXmlTree(data));
  const items = await refusingOption("query", () => queryXml(tree, given.query, namespaces));
  return refusing(data, () =>
    refusingOption("query", () => {
      if (output === "nodes") return writeValue(toNodes(data, items), indent);
      if (output === "xml") return writeLines(toXmlTexts(data, items));
      const values = items.map(createToValue());
      return output === "raw" ? writeLines(values) : writeValue(values, indent);
    }),
  );
}
