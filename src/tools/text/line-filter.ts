import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { compileLineTest, lineModes } from "../../lib/text/line-test.ts";
import { joinLines, splitLines } from "../../lib/text/lines.ts";
import { refusingOption } from "../refusing.ts";

export default defineTool({
  slug: "line-filter",
  title: "Line filter",
  summary: "Keep the lines that contain a text or match a pattern, or those that do not.",
  input: z.object({
    data: z.string().describe("The lines"),
    pattern: z.string().max(65_536).describe("What to look for"),
    mode: z
      .enum(lineModes)
      .default("literal")
      .describe(
        "literal and the regular expressions look anywhere in a line, glob (* ? [a-z]) at the whole line; re2 is linear in time, regex is JavaScript's with a deadline",
      ),
    ignoreCase: z.boolean().default(false).describe("Whether upper and lower case are the same"),
    invert: z.boolean().default(false).describe("Whether the lines are kept that do not match"),
  }),
  isolate: "process",
  exact: true,
  examples: [
    { input: { data: "INFO start\nERROR disk\nINFO end\n", pattern: "ERROR" }, result: "ERROR disk\n" },
    {
      title: "Neither comments nor blank lines",
      input: { data: "# head\na=1\n\n  # more\nb=2", pattern: "^\\s*(#|$)", mode: "re2", invert: true },
      result: "a=1\nb=2",
    },
    {
      title: "A glob is about the whole line",
      input: {
        data: "src/a.ts\nsrc/a.test.TS\nREADME.md",
        pattern: "src/*.test.[jt]s",
        mode: "glob",
        ignoreCase: true,
      },
      result: "src/a.test.TS",
    },
  ],
  async run({ data, pattern, mode, ignoreCase, invert }) {
    const test = await refusingOption("pattern", () => compileLineTest(pattern, mode, ignoreCase));
    const { lines, ...ends } = splitLines(data);
    return joinLines(
      lines.filter((line) => test(line) !== invert),
      ends,
    );
  },
});
