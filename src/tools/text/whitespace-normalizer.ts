import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { createNormalizer, normalizeWhitespace } from "../../lib/text/whitespace.ts";
import { createLineRun } from "../line-run.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "whitespace-normalizer",
  title: "Whitespace normalizer",
  version: "2.0.0",
  summary: "Normalize line endings, trailing spaces, tabs and Unicode spaces of a text.",
  page: {
    title: "White space normalizer",
    tile: "Line ends, tabs, trailing spaces",
    view: "text:marks",
    options: ["eol", "trimTrailing", "tabWidth"],
    labels: { data: "Text", eol: "Line ends", trimTrailing: "Trim line ends", tabWidth: "Tab width" },
  },
  accepts: "text",
  aliases:
    "dos2unix, unix2dos, crlf, crlf to lf, lf to crlf, line endings, trailing whitespace, trailing spaces, trim, tabs to spaces, expand, non-breaking space, strip whitespace, normalize newlines, final newline, carriage return, ^M, blank lines, remove bom, zero width characters, invisible spaces",
  input: z.object({
    data: z.string().describe("The text"),
    eol: z
      .enum(["keep", "lf", "crlf"])
      .default("lf")
      .describe("Line endings: LF, CRLF or unchanged; a lone CR counts as a line ending"),
    trimTrailing: z.boolean().default(true).describe("Remove spaces and tabs at the end of lines"),
    hardBreaks: z
      .boolean()
      .default(false)
      .describe(
        "Keep two or more spaces at the end of a line of text, which break the line in Markdown; on by default in checks of .md files",
      ),
    finalNewline: z
      .boolean()
      .default(true)
      .describe("End the text with exactly one line ending, without blank lines before it"),
    tabWidth: z
      .int()
      .min(1)
      .max(16)
      .optional()
      .describe("Columns between tab stops, to expand tabs to spaces; by default tabs are kept"),
    plainSpaces: z
      .boolean()
      .default(false)
      .describe("Replace no-break, thin, ideographic and other Unicode spaces with plain spaces"),
    stripBom: z.boolean().default(true).describe("Remove a byte order mark at the beginning"),
  }),
  whenOff: {
    trimTrailing: "Keep spaces and tabs at the end of lines",
    finalNewline: "Leave the end of the text unchanged",
    stripBom: "Keep a byte order mark at the beginning",
  },
  check: "change",
  fileOptions: (name) => (/\.(?:md|mdx|mdown|markdown|rmd|qmd)$/i.test(name) ? { hardBreaks: true } : {}),
  exact: true,
  examples: [
    { input: { data: "a  \r\nb\t\r\n\r\n" }, result: "a\nb\n" },
    {
      title: "Tabs, a byte order mark and a no-break space",
      input: { data: "\ufeffid\tname\n1\ta\u00a0b", tabWidth: 4, plainSpaces: true },
      result: "id  name\n1   a b\n",
    },
    {
      title: "Line breaks of Markdown stay",
      input: { data: "one  \ntwo \n", hardBreaks: true },
      result: "one  \ntwo\n",
    },
    {
      title: "Windows line endings only",
      input: { data: "a \nb", eol: "crlf", trimTrailing: false, finalNewline: false },
      result: "a \r\nb",
    },
  ],
  run: ({ data, ...options }) => normalizeWhitespace(data, options),
  runBlocks(options) {
    const { write, end } = createNormalizer(options);
    return createLineRun("whitespace-normalizer", {
      write: (lines) => [refusing(lines, () => write(lines))],
      end,
    });
  },
});
