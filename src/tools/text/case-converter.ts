import { z } from "zod";
import { isolateOver } from "../../catalog/inline.ts";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { cases, toCase } from "../../lib/text/case.ts";
import { refusing } from "../refusing.ts";

/**
 * The most characters that are converted on the event loop, which takes some 5 ms in a language with its own case
 * rules.
 */
const mostInline = 16_384;

export default defineTool({
  slug: "case-converter",
  title: "Case converter",
  summary: "Write names and sentences in camel, snake, kebab, title or another case.",
  input: z.object({
    data: z.string().describe("The text"),
    to: z
      .enum(cases)
      .describe(
        "camel to upper-words take the text apart into words; lower, upper, capitalize, lower-first and upper-first change letters alone",
      ),
    lines: z.boolean().default(true).describe("Whether each line is a text of its own"),
    accents: z
      .enum(["strip", "keep"])
      .default("strip")
      .describe("Whether Latin letters lose their accents where the text is taken apart into words"),
    locale: z
      .string()
      .max(64)
      .default("en")
      .describe("The language of the text as a BCP 47 tag, such as tr, where the capital of i is İ"),
  }),
  whenOff: { lines: "Convert the whole text as one" },
  exact: true,
  examples: [
    { input: { data: "HTTPServerError", to: "snake" }, result: "http_server_error" },
    {
      title: "Numbers, ordinals and accents, a line each",
      input: { data: "enable 6h format\nCrème brûlée\n22nd_street", to: "camel" },
      result: "enable6HFormat\ncremeBrulee\n22ndStreet",
    },
    {
      title: "Accents kept",
      input: { data: "élan-vital", to: "title", accents: "keep" },
      result: "Élan Vital",
    },
    {
      title: "The letters of a language",
      input: { data: "istanbul", to: "upper", locale: "tr" },
      result: "İSTANBUL",
    },
  ],
  run({ data, to, lines, ...options }, context) {
    isolateOver(data.length, mostInline, context);
    try {
      Intl.getCanonicalLocales(options.locale);
    } catch {
      throw invalidField("locale", "Must be a BCP 47 language tag, such as en or pt-BR.");
    }
    return refusing(data, () => {
      if (!lines) return toCase(data, to, options);
      return data
        .split(/(\r\n|[\r\n])/)
        .map((part, index) => (index % 2 === 0 ? toCase(part, to, options) : part))
        .join("");
    });
  },
});
