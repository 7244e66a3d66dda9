import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { escapers, languages } from "../../lib/escape/languages.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "string-unescaper",
  title: "String unescaper",
  version: "1.1.0",
  summary: "Unescape text that was escaped for a shell, a programming language or a file format.",
  page: {
    tile: "\\n, \\u00e9 and quotes resolved",
    view: "text",
    options: ["language", "quotes"],
    labels: { language: "From", quotes: "In quotes" },
    start: { language: "json" },
  },
  accepts: "an escaped string",
  aliases:
    "unescape, unescape string, stripslashes, unquote, remove backslashes, json unescape, unicode escape, \\u00e9, \\n to newline, unicode unescape, from escaped string, decode escape sequences, printf %b, destringify",
  input: z.object({
    data: z
      .string()
      .describe("The escaped text: the content of a string, one word for shell, one field for csv"),
    language: z.enum(languages).describe("Language for which the text was escaped"),
    quotes: z
      .boolean()
      .default(false)
      .describe(
        "Expect the text in the quotes of the language; shell and csv detect them, regex and xml have none",
      ),
  }),
  exact: true,
  examples: [
    { input: { data: 'say \\"hi\\"\\n', language: "json" }, result: 'say "hi"\n' },
    {
      title: "A word in several kinds of quotes",
      input: { data: `it\\''s '"a \\$HOME"$'\\n'`, language: "shell" },
      result: "it's a $HOME\n",
    },
    {
      title: "A quoted string",
      input: { data: "'O''Neill'", language: "sql", quotes: true },
      result: "O'Neill",
    },
    {
      title: "Surrogate pairs and octal numbers",
      input: { data: "\\ud83d\\udc4b\\101", language: "js" },
      result: "👋A",
    },
  ],
  run({ data, language, quotes }) {
    const escaper = escapers[language];
    if (quotes && !escaper.quotes) throw invalidField("quotes", `${language} has no quotes; leave it out.`);
    return refusing(data, () => escaper.unescape(data, quotes));
  },
});
