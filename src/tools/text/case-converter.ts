import { z } from "zod";
import { isolateOver } from "../../catalog/inline.ts";
import { defineTool } from "../../catalog/tool.ts";
import { cases, toCase } from "../../lib/text/case.ts";
import { checkLocale } from "../locale.ts";
import { refusing } from "../refusing.ts";

/**
 * Characters converted on the event loop at most; in a language with its own case rules these take some 5 ms.
 */
const maxInline = 16_384;

export default defineTool({
  slug: "case-converter",
  title: "Case converter",
  version: "2.0.0",
  summary: "Write names and sentences in camel, snake, kebab, title or another case.",
  page: {
    tile: "camel, snake, kebab, title …",
    view: "props",
    tab: "All cases",
    options: ["to", "lines", "accents"],
    labels: { data: "Names", to: "Case", lines: "Each line by itself", accents: "Accents" },
    start: { to: "camel" },
  },
  accepts: "names or sentences",
  aliases:
    "camelcase, camel case, snake case, snake_case, kebab-case, kebab case, pascal case, title case, uppercase, lowercase, upper case, lower case, constant case, slugify, slug, change case, capitalize, string case, toupper, tolower, sentence case, dot case, tr a-z A-Z, url slug, screaming snake",
  input: z.object({
    data: z.string().describe("The text"),
    to: z
      .enum(cases)
      .describe(
        "Case of the result; lower, upper, capitalize, lower-first and upper-first change letters only, the others split the text into words",
      ),
    lines: z.boolean().default(true).describe("Convert each line separately"),
    accents: z
      .enum(["auto", "strip", "keep"])
      .default("auto")
      .describe("Accents of Latin letters; auto strips them in identifiers (camel, kebab, snake …)"),
    punctuation: z
      .enum(["keep", "remove"])
      .default("keep")
      .describe("Punctuation in title, sentence, lower-words and upper-words"),
    numbers: z
      .enum(["attached", "separate"])
      .default("attached")
      .describe("Whether digits belong to the letters before them (html5) or are words (html-5)"),
    locale: z
      .string()
      .max(64)
      .default("en")
      .describe("Language of the text as a BCP 47 tag, such as tr, in which the upper case of i is İ"),
  }),
  whenOff: { lines: "Convert the text as a whole" },
  exact: true,
  examples: [
    { input: { data: "HTTPServerError", to: "snake" }, result: "http_server_error" },
    {
      title: "Numbers, ordinals and accents, line by line",
      input: { data: "E2E testing of HTML5\nCrème brûlée\n22nd_street", to: "kebab" },
      result: "e2e-testing-of-html5\ncreme-brulee\n22nd-street",
    },
    {
      title: "A title keeps its letters and its punctuation",
      input: { data: "o'neill's élan-vital: it's here!", to: "title" },
      result: "O'Neill's Élan Vital: It's Here!",
    },
    {
      title: "Case rules of a language",
      input: { data: "istanbul", to: "upper", locale: "tr" },
      result: "İSTANBUL",
    },
  ],
  run({ data, to, lines, ...options }, context) {
    isolateOver(data.length, maxInline, context);
    checkLocale(options.locale);
    return refusing(data, () => {
      if (!lines) return toCase(data, to, options);
      return data
        .split(/(\r\n|[\r\n])/)
        .map((part, index) => (index % 2 === 0 ? toCase(part, to, options) : part))
        .join("");
    });
  },
});
