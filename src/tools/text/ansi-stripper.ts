import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { renderLines } from "../../lib/text/render-lines.ts";
import { stripAnsi } from "../../lib/text/strip-ansi.ts";
import { createLineRun } from "../line-run.ts";

export default defineTool({
  slug: "ansi-stripper",
  title: "ANSI stripper",
  version: "1.1.0",
  summary: "Remove colours, cursor movements, links and other terminal sequences from a log.",
  page: {
    tile: "Colours out of a log",
    view: "text",
    options: ["render"],
    labels: { data: "Log", render: "As a terminal shows it" },
  },
  accepts: "a log with terminal sequences",
  aliases:
    "strip ansi, strip colors, remove color codes, ansi escape codes, remove escape sequences, terminal colors, ansi2txt, strip-ansi, colour codes, clean log, sed ansi, vt100, progress bar log, unbuffered log, escape characters in log",
  input: z.object({
    data: z.string().describe("The text, as written to a terminal"),
    render: z
      .boolean()
      .default(false)
      .describe(
        "Apply carriage returns, backspaces and erased line ends as a terminal does, so that only the last state of a progress line stays",
      ),
  }),
  check: "change",
  exact: true,
  examples: [
    { input: { data: "\u001b[1;31merror\u001b[0m: no such file" }, result: "error: no such file" },
    {
      title: "A hyperlink keeps its text, a window title is removed",
      input: {
        data: "\u001b]0;build\u0007see \u001b]8;;https://example.com\u001b\\the log\u001b]8;;\u001b\\",
      },
      result: "see the log",
    },
    {
      title: "A progress line",
      input: { data: "fetch 9%\rfetch 100%\u001b[K\r\ndone\n", render: true },
      result: "fetch 100%\r\ndone\n",
    },
    {
      title: "A truncated sequence removes no text",
      input: { data: "50%\u001b[3\nafter \u001b]8;;http" },
      result: "50%\nafter 8;;http",
    },
  ],
  run: ({ data, render }) => strip(data, render),
  // No sequence goes on in the next line.
  runBlocks: ({ render }) => createLineRun("ansi-stripper", { write: (lines) => [strip(lines, render)] }),
});

const strip = (text: string, render: boolean): string => (render ? renderLines(text) : stripAnsi(text));
