import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { normalizeWhitespace } from "../../lib/text/whitespace.ts";

export default defineTool({
  slug: "whitespace-normalizer",
  title: "Whitespace normalizer",
  summary: "Put line ends, trailing spaces, tabs and invisible spaces of a text in order.",
  input: z.object({
    data: z.string().describe("The text"),
    eol: z
      .enum(["keep", "lf", "crlf"])
      .default("lf")
      .describe("How lines end: LF, CRLF or each as it does now; a lone CR counts as a line end"),
    trimTrailing: z.boolean().default(true).describe("Whether spaces and tabs at the end of lines go"),
    finalNewline: z
      .boolean()
      .default(true)
      .describe("Whether the text ends with exactly one line end, without blank lines before it"),
    tabWidth: z
      .int()
      .min(1)
      .max(16)
      .optional()
      .describe("Columns between tab stops, to turn tabs into spaces; tabs stay unless given"),
    plainSpaces: z
      .boolean()
      .default(true)
      .describe("Whether no-break, thin, ideographic and other spaces of Unicode become plain spaces"),
    stripBom: z.boolean().default(true).describe("Whether a byte order mark at the beginning goes"),
  }),
  whenOff: {
    trimTrailing: "Keep spaces and tabs at the end of lines",
    finalNewline: "Leave the end of the text as it is",
    plainSpaces: "Keep no-break, thin, ideographic and other Unicode spaces",
    stripBom: "Keep a byte order mark at the beginning",
  },
  check: "change",
  exact: true,
  examples: [
    { input: { data: "a  \r\nb\t\r\n\r\n" }, result: "a\nb\n" },
    {
      title: "Tabs, a byte order mark and a no-break space",
      input: { data: "\ufeffid\tname\n1\ta\u00a0b", tabWidth: 4 },
      result: "id  name\n1   a b\n",
    },
    {
      title: "Line ends of Windows and nothing else",
      input: { data: "a \nb", eol: "crlf", trimTrailing: false, finalNewline: false },
      result: "a \r\nb",
    },
  ],
  run: ({ data, ...options }) => normalizeWhitespace(data, options),
});
