import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { stripAnsi } from "../../lib/text/strip-ansi.ts";

export default defineTool({
  slug: "ansi-stripper",
  title: "ANSI stripper",
  summary: "Take colours, cursor movements, links and other terminal sequences out of a log.",
  input: z.object({
    data: z.string().describe("The text, as a program wrote it for a terminal"),
  }),
  check: "change",
  exact: true,
  examples: [
    { input: { data: "\u001b[1;31merror\u001b[0m: no such file" }, result: "error: no such file" },
    {
      title: "A hyperlink keeps its text, a title goes",
      input: {
        data: "\u001b]0;build\u0007see \u001b]8;;https://example.com\u001b\\the log\u001b]8;;\u001b\\",
      },
      result: "see the log",
    },
    {
      title: "A sequence that is broken off takes no text with it",
      input: { data: "50%\u001b[3\nafter \u001b]8;;http" },
      result: "50%\nafter 8;;http",
    },
  ],
  run: ({ data }) => stripAnsi(data),
});
