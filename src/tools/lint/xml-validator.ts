import { DocumentFault } from "../../lib/fault.ts";
import { z } from "zod";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { decodeXml } from "../../lib/xml/decode.ts";
import { validateXml } from "../../lib/xml/validate.ts";
import { toSortedFindings } from "../findings.ts";

export default defineTool({
  slug: "xml-validator",
  title: "XML validator",
  version: "1.1.0",
  summary: "Check that a document is well-formed XML and report the place of each error.",
  page: {
    tile: "Well-formed or not, and where",
    layout: "check",
    view: "report",
    options: ["namespaces"],
    labels: { namespaces: "Check namespaces" },
  },
  accepts: "XML",
  aliases:
    "xmllint, xmllint --noout, validate xml, xml lint, well-formed xml, xml syntax check, check xml, xml error, xml checker, mismatched tag, is xml valid",
  input: z.object({
    data: z.string().describe("The document"),
    namespaces: z
      .boolean()
      .default(false)
      .describe("Check prefixes and the other rules of Namespaces in XML 1.0 as well"),
  }),
  isolate: "thread",
  examples: [
    { input: { data: '<a x="1">&lt;<b/></a>' }, result: '{\n  "valid": true,\n  "errors": []\n}' },
    {
      title: "A duplicate attribute",
      input: { data: '<?xml version="1.0"?>\n<a x="1" x="2"/>' },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The attribute x occurs twice.",\n      "severity": "error",\n      "rule": "duplicate-attribute",\n      "line": 2,\n      "column": 10,\n      "offset": 31,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "An undeclared prefix",
      input: { data: "<x:a/>", namespaces: true },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The prefix x is not declared.",\n      "severity": "error",\n      "rule": "namespace",\n      "line": 1,\n      "column": 2,\n      "offset": 1,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  check: "report",
  run: ({ data, namespaces }) => validate(data, namespaces),
  runBytes(data, { namespaces }) {
    try {
      return validate(decodeXml(data), namespaces);
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      return toReport(toSortedFindings("", [error]));
    }
  },
});

const validate = (data: string, namespaces: boolean): Report =>
  toReport(toSortedFindings(data, validateXml(data, namespaces)));
