import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { escapers, languages } from "../../lib/escape/languages.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "string-escaper",
  title: "String escaper",
  version: "1.1.0",
  summary: "Escape text for a shell, a programming language or a file format.",
  page: {
    tile: "For shells, languages and files",
    view: "text",
    options: ["language", "quotes", "ascii"],
    labels: { language: "For", quotes: "With quotes", ascii: "ASCII only" },
    start: { language: "shell" },
  },
  accepts: "text",
  aliases:
    "shell quote, shlex.quote, shellescape, escape string, escape quotes, quote string, addslashes, json escape, json.stringify, javascript string literal, java string, python string literal, sql escape, csv escape, escape backslash, printf %q, regex escape, escape newline, stringify, bash quote",
  input: z.object({
    data: z.string().describe("The text to escape"),
    language: z
      .enum(languages)
      .describe(
        "Target of the text: shell escapes one word of a command line, csv one field, regex a literal in a pattern, yaml a double-quoted scalar, the others the content of a string; sql follows the standard (MySQL also needs doubled backslashes)",
      ),
    quotes: z
      .boolean()
      .default(false)
      .describe(
        "Enclose the text in the quotes of the language; shell and csv always add the quotes they need, regex and xml have none",
      ),
    ascii: z
      .boolean()
      .default(false)
      .describe("Escape non-ASCII characters as well, for xml and the languages with backslashes"),
  }),
  exact: true,
  examples: [
    { input: { data: 'say "hi"\n', language: "json" }, result: 'say \\"hi\\"\\n' },
    {
      title: "One word of a command line",
      input: { data: "it's $HOME; rm -rf /", language: "shell" },
      result: "'it'\\''s $HOME; rm -rf /'",
    },
    {
      title: "An SQL string",
      input: { data: "O'Neill", language: "sql", quotes: true },
      result: "'O''Neill'",
    },
    {
      title: "ASCII only",
      input: { data: "né 👋", language: "python", ascii: true },
      result: "n\\xe9 \\U0001f44b",
    },
  ],
  run({ data, language, ...options }) {
    const escaper = escapers[language];
    if (options.quotes && !escaper.quotes)
      throw invalidField("quotes", `${language} has no quotes; leave it out.`);
    if (options.ascii && !escaper.ascii) {
      throw invalidField("ascii", `${language} cannot write what is not ASCII in another way; leave it out.`);
    }
    return refusing(data, () => escaper.escape(data, options));
  },
});
