import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { lintUnicode, unicodeRules } from "../../lib/lint/unicode.ts";
import { toSortedFindings } from "../findings.ts";

const maxFindings = 1000;

export default defineTool({
  slug: "unicode-linter",
  title: "Unicode linter",
  summary: "Find deceptive characters: bidirectional controls, invisible characters and look-alikes.",
  page: {
    tile: "Bidi controls, look-alikes",
    layout: "check",
    view: "report",
    options: ["allow"],
    labels: { allow: "Allow" },
  },
  accepts: "text",
  aliases:
    "trojan source, bidi characters, invisible characters, zero width, zero-width space, homoglyph, homograph, confusables, look-alike characters, hidden characters, non-ascii characters, unicode spoofing, detect unicode, weird characters, nbsp, bom, show hidden characters, suspicious characters, right-to-left override",
  input: z.object({
    data: z.string().describe("The text or source code"),
    allow: z
      .array(z.string().max(32))
      .max(100)
      .default([])
      .describe(`Code points such as U+00A0, or rules, to ignore (${unicodeRules.join(", ")})`),
  }),
  check: "report",
  examples: [
    { input: { data: "naïve Москва 👩‍👩‍👧 日本語\n" }, result: '{\n  "valid": true,\n  "errors": []\n}' },
    {
      title: "A letter that looks like another",
      input: { data: "p\u0430ypal" },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "One word has letters of Latin and Cyrillic; U+0430 only looks like the others.",\n      "severity": "error",\n      "rule": "mixed-script",\n      "line": 1,\n      "column": 2,\n      "offset": 1,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "Code that displays differently from how it runs, and an allowed space",
      input: { data: "if (admin\u202e) {\n\u00a0}", allow: ["U+00A0"] },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "U+202E changes the order in which text is displayed, so that code can look different from what runs (CVE-2021-42574).",\n      "severity": "error",\n      "rule": "bidi-control",\n      "line": 1,\n      "column": 10,\n      "offset": 9,\n      "pointer": ""\n    }\n  ]\n}',
    },
  ],
  run({ data, allow }) {
    const wrong = allow.find((name) => !unicodeRules.includes(name) && !/^u\+[\da-f]{4,6}$/i.test(name));
    if (wrong !== undefined) {
      throw invalidField(
        "allow",
        `Must be code points such as U+200B, or rules: ${unicodeRules.join(", ")}.`,
      );
    }
    return toReport(toSortedFindings(data, lintUnicode(data, allow, maxFindings)));
  },
});
