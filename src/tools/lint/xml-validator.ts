import { z } from "zod";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { DocumentFault } from "../../lib/fault.ts";
import { readXmlSchema } from "../../lib/xml-schema/read.ts";
import { validateBySchema } from "../../lib/xml-schema/validate.ts";
import { decodeXml } from "../../lib/xml/decode.ts";
import { validateXml } from "../../lib/xml/validate.ts";
import { toSortedFindings } from "../findings.ts";
import { refusing, refusingOption } from "../refusing.ts";
import { xmlValidatorExamples } from "../xml-validator-parts.ts";

export default defineTool({
  slug: "xml-validator",
  title: "XML validator",
  version: "1.2.1",
  summary:
    "Check that XML is well-formed, and valid by an XSD or RELAX NG schema, and report the place of each error.",
  page: {
    tile: "Well-formed, and by XSD or RELAX NG",
    layout: "compare",
    view: "report",
    options: ["namespaces"],
    second: "schema",
    labels: { data: "Document", namespaces: "Check namespaces", schema: "Schema" },
    next: [
      { slug: "xml-formatter", text: "Format" },
      { slug: "xml-query", text: "Query" },
      { slug: "xml-to-json", text: "Convert to JSON" },
    ],
  },
  accepts: "XML",
  aliases:
    "xmllint, xmllint --noout, validate xml, xml lint, well-formed xml, xml syntax check, check xml, xml error, xml checker, mismatched tag, is xml valid, xsd, xml schema, xsd validator, validate xml against xsd, xmllint --schema, relax ng, rng, xmllint --relaxng, jing",
  input: z.object({
    data: z.string().describe("The document"),
    namespaces: z
      .boolean()
      .default(false)
      .describe("Check prefixes and the other rules of Namespaces in XML 1.0 as well"),
    schema: z
      .string()
      .max(16_777_216)
      .optional()
      .describe(
        "An XSD 1.0 or a RELAX NG schema in XML syntax, by which libxml2 validates the document; it must be one document, because nothing is fetched, but may import the namespace of xml:lang, which is built in; namespaces are checked with it",
      ),
  }),
  isolate: "process",
  examples: xmlValidatorExamples,
  check: "report",
  run: ({ data, ...options }) => validate(data, options),
  runBytes(data, options) {
    try {
      return validate(decodeXml(data), options);
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      return toReport(toSortedFindings("", [error]));
    }
  },
});

interface Options {
  namespaces: boolean;
  schema?: string | undefined;
}

async function validate(data: string, { namespaces, schema }: Options): Promise<Report> {
  if (schema === undefined) return toReport(toSortedFindings(data, validateXml(data, namespaces)));
  const read = refusing(schema, () => readXmlSchema(schema), "schema");
  const faults = validateXml(data, true);
  if (faults.length > 0) return toReport(toSortedFindings(data, faults));
  const found = await refusing(
    schema,
    () => refusingOption("schema", () => validateBySchema(data, read)),
    "schema",
  );
  return toReport(toSortedFindings(data, found));
}
