import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { validateToml } from "../../lib/toml/validate.ts";
import { toSortedFindings } from "../findings.ts";

export default defineTool({
  slug: "toml-validator",
  title: "TOML validator",
  summary: "Validate a TOML document and report the place of each error.",
  page: {
    tile: "Errors with their place",
    layout: "check",
    view: "report",
    options: ["version"],
    next: [
      { slug: "toml-to-json", text: "Convert to JSON", keeps: ["version"] },
      { slug: "toml-formatter", text: "Format", keeps: ["version"] },
    ],
  },
  accepts: "TOML",
  aliases:
    "toml lint, taplo, validate toml, check toml, toml syntax, toml checker, pyproject.toml error, cargo.toml error",
  input: z.object({
    data: z.string().describe("The document"),
    version: z
      .enum(["1.0", "1.1"])
      .default("1.1")
      .describe(
        "TOML version; 1.1 accepts every TOML 1.0 document, 1.0 refuses syntax that was added in 1.1",
      ),
  }),
  isolate: "process",
  examples: [
    { input: { data: '[a]\nb = "c"\nd = 1979-05-27\n' }, result: '{\n  "valid": true,\n  "errors": []\n}' },
    {
      title: "A date that does not exist, and a duplicate key",
      input: { data: "day = 2023-02-29\n\n[server]\nport = 80\nport = 8080\n" },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The date 2023-02-29 does not exist.",\n      "severity": "error",\n      "rule": "invalid-date",\n      "line": 1,\n      "column": 7,\n      "offset": 6,\n      "pointer": ""\n    },\n    {\n      "message": "\\"port\\" is defined twice; the first is on line 4.",\n      "severity": "error",\n      "rule": "duplicate-key",\n      "line": 5,\n      "column": 1,\n      "offset": 37,\n      "pointer": "/server/port"\n    }\n  ]\n}',
    },
  ],
  check: "report",
  run: ({ data, version }) => toReport(toSortedFindings(data, validateToml(data, version))),
});
