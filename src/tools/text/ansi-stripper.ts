import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { stripAnsi } from "../../lib/text/strip-ansi.ts";

export default defineTool({
  slug: "ansi-stripper",
  title: "ANSI stripper",
  summary: "Remove colours, cursor movements, links and other terminal sequences from a log.",
  input: z.object({
    data: z.string().describe("The text, as written to a terminal"),
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
      title: "A truncated sequence removes no text",
      input: { data: "50%\u001b[3\nafter \u001b]8;;http" },
      result: "50%\nafter 8;;http",
    },
  ],
  run: ({ data }) => stripAnsi(data),
});
