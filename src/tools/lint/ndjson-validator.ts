import { z } from "zod";
import { type Finding, type Report, toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { createBoundedFindings } from "../../lib/bounded-findings.ts";
import { type NdjsonFault, validateNdjson } from "../../lib/ndjson/validate.ts";
import { toFindings } from "../findings.ts";
import { createLineRun, type LineWork } from "../line-run.ts";

export default defineTool({
  slug: "ndjson-validator",
  title: "NDJSON validator",
  version: "1.1.0",
  summary: "Validate newline-delimited JSON and report the place of each error.",
  page: {
    tile: "Each line with its error",
    layout: "check",
    view: "report",
    options: ["maxErrors"],
    next: [{ slug: "ndjson-to-json", text: "Convert to JSON" }],
  },
  accepts: "NDJSON",
  aliases:
    "validate jsonl, jsonl validator, jsonl lint, check json lines, json lines validator, fine tuning file, openai jsonl, ldjson check, bulk file check",
  input: z.object({
    data: z.string().describe("The lines"),
    maxErrors: z.int().min(1).max(1000).default(100).describe("Maximum number of findings to report"),
  }),
  isolate: "thread",
  examples: [
    { input: { data: '{"a":1}\n[2]\n' }, result: '{\n  "valid": true,\n  "errors": []\n}' },
    {
      title: "Each line is validated separately",
      input: { data: '{"a":1}\n{"a":1,"a":2}\n3\n' },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "Duplicate key \\"a\\" in this line; the first is at column 2.",\n      "severity": "error",\n      "rule": "duplicate-key",\n      "line": 2,\n      "column": 8,\n      "offset": 15,\n      "pointer": "/a"\n    }\n  ]\n}',
    },
  ],
  check: "report",
  run({ data, maxErrors }) {
    const { write, end } = createWork(maxErrors);
    write(data, { bytes: 0, lines: 0, columns: 0 });
    return end();
  },
  runBlocks: ({ maxErrors }) => createLineRun("ndjson-validator", createWork(maxErrors)),
});

function createWork(maxErrors: number): LineWork & { end(): Report } {
  const { add, isFull, list } = createBoundedFindings<Finding>(maxErrors);
  return {
    write(lines, before) {
      if (isFull("error")) return [];
      const found = createBoundedFindings<NdjsonFault>(maxErrors);
      validateNdjson(lines, found, before.bytes === 0);
      const faults = found.list();
      if (faults.length === 0) return [];
      for (const { line, offset, ...finding } of toFindings(lines, faults))
        add({ ...finding, line: before.lines + line, offset: before.bytes + offset });
      return [];
    },
    end: () => toReport(list().toSorted((a, b) => a.offset - b.offset)),
  };
}
