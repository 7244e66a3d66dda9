import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { escapers, languages } from "../../lib/escape/languages.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "string-escaper",
  title: "String escaper",
  summary: "Write text so that a shell, a programming language or a file format reads it as it is.",
  input: z.object({
    data: z.string().describe("The text to escape"),
    language: z
      .enum(languages)
      .describe(
        "Where the text will stand: shell as one word of a command line, csv as one field, regex as a literal in a pattern, the others inside a string; sql is the standard's, and MySQL wants backslashes doubled besides",
      ),
    quotes: z
      .boolean()
      .default(false)
      .describe(
        "Whether the quotes of the language are put around it; shell and csv put them where they are needed anyway, regex and xml have none",
      ),
    ascii: z
      .boolean()
      .default(false)
      .describe("Whether what is not ASCII is escaped too, for json, js, java, python and xml"),
  }),
  exact: true,
  examples: [
    { input: { data: 'say "hi"\n', language: "json" }, result: 'say \\"hi\\"\\n' },
    {
      title: "One word of a command line, whatever is in it",
      input: { data: "it's $HOME; rm -rf /", language: "shell" },
      result: "'it'\\''s $HOME; rm -rf /'",
    },
    {
      title: "A string of SQL",
      input: { data: "O'Neill", language: "sql", quotes: true },
      result: "'O''Neill'",
    },
    {
      title: "ASCII alone",
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
