import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { createLineWork } from "../../lib/text/filter-lines.ts";
import { lineModes } from "../../lib/text/line-test.ts";
import { createLineRun } from "../line-run.ts";
import { refusingOption } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("The lines"),
  pattern: z.string().max(65_536).describe("Text or pattern to search for"),
  mode: z
    .enum(lineModes)
    .default("literal")
    .describe(
      "Kind of pattern: literal, re2 and regex match anywhere in a line, glob (* ? [a-z]) matches the whole line; re2 runs in linear time, regex is a JavaScript expression with a deadline",
    ),
  ignoreCase: z.boolean().default(false).describe("Ignore the case of letters"),
  invert: z.boolean().default(false).describe("Keep the lines that do not match"),
  before: z.int().min(0).max(1000).default(0).describe("Lines to keep before each of them"),
  after: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .describe("Lines to keep after each of them; -- separates groups"),
  lineNumbers: z.boolean().default(false).describe("Put the number of each line before it"),
  count: z.boolean().default(false).describe("Return only the number of lines"),
});

export default defineTool({
  slug: "line-filter",
  title: "Line filter",
  version: "1.1.0",
  summary: "Keep the lines that contain a text or match a pattern, or those that do not.",
  page: {
    tile: "Keep or drop lines",
    layout: "pattern",
    view: "match:lines",
    options: ["pattern", "mode", "invert", "ignoreCase"],
    regex: { field: "pattern", engine: "mode" },
    labels: {
      data: "Lines",
      pattern: "Pattern",
      mode: "Pattern is",
      "mode=literal": "Text",
      "mode=glob": "Glob",
      "mode=re2": "RE2",
      "mode=regex": "JavaScript",
      invert: "Drop what matches",
    },
  },
  accepts: "lines",
  aliases:
    "grep, grep -v, sed, sed -n, sed /d, egrep, ripgrep, rg, filter lines, keep lines, remove lines, exclude lines, lines containing, delete lines, select lines, findstr, grep -A, grep -c, search log, remove empty lines, delete blank lines, count matching lines, lines with context",
  input,
  isolate: "process",
  exact: true,
  examples: [
    { input: { data: "INFO start\nERROR disk\nINFO end\n", pattern: "ERROR" }, result: "ERROR disk\n" },
    {
      title: "Remove comments and blank lines",
      input: { data: "# head\na=1\n\n  # more\nb=2", pattern: "^\\s*(#|$)", mode: "re2", invert: true },
      result: "a=1\nb=2",
    },
    {
      title: "The line before and the line after, with numbers",
      input: { data: "a\nb\nERROR\nc\nd", pattern: "ERROR", before: 1, after: 1, lineNumbers: true },
      result: "2-b\n3:ERROR\n4-c",
    },
    {
      title: "A glob matches the whole line",
      input: {
        data: "src/a.ts\nsrc/a.test.TS\nREADME.md",
        pattern: "src/*.test.[jt]s",
        mode: "glob",
        ignoreCase: true,
      },
      result: "src/a.test.TS",
    },
  ],
  run({ data, ...options }) {
    return refusingOption("pattern", async () => {
      const work = await createLineWork(options);
      return work.write(data) + work.end();
    });
  },
  async runBlocks(options) {
    // A JavaScript expression may backtrack without end, and needs the deadline of a process of its own.
    if (options.mode === "regex") return undefined;
    const work = await refusingOption("pattern", () => createLineWork(options));
    return createLineRun("line-filter", { ...work, write: (lines) => [work.write(lines)] });
  },
});
