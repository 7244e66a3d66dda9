import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { countText } from "../../lib/text/statistics.ts";
import { checkLocale } from "../locale.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "text-statistics",
  title: "Text statistics",
  summary:
    "Count the bytes, characters, words, sentences and lines of a text, its entropy and its frequent words.",
  page: {
    tile: "Words, lines, bytes, entropy",
    view: "props",
    options: ["unit", "frequent", "ignoreCase"],
    labels: {
      data: "Text",
      frequent: "Most frequent",
      unit: "Of",
      "unit=word": "Words",
      "unit=character": "Characters",
      "unit=line": "Lines",
    },
  },
  accepts: "a text",
  aliases:
    "wc, wc -l, wc -w, wc -c, wc -m, word count, word counter, character count, count characters, count words, count lines, letter count, string length, text length, byte length, shannon entropy, ent, entropy, word frequency, letter frequency, frequency analysis, most frequent words, longest line, grapheme count, text analyzer",
  input: z.object({
    data: z.string().describe("The text"),
    unit: z
      .enum(["word", "character", "line"])
      .default("word")
      .describe(
        "Unit whose most frequent values are listed; a character is a grapheme, such as a letter with its accents",
      ),
    frequent: z.int().min(0).max(1000).default(10).describe("How many of the most frequent are listed"),
    ignoreCase: z.boolean().default(true).describe("Count the frequent ones in lower case"),
    locale: z
      .string()
      .max(64)
      .optional()
      .describe(
        "Language whose rules divide the text into words and sentences, as a BCP 47 tag; by default en",
      ),
  }),
  whenOff: { ignoreCase: "Count words in capitals apart" },
  isolate: "process",
  examples: [
    {
      input: { data: "The cat saw the dog.\nIt ran.\n", frequent: 2 },
      result:
        '{\n  "bytes": 29,\n  "codePoints": 29,\n  "graphemes": 29,\n  "words": 7,\n  "wordsBySpace": 7,\n  "sentences": 2,\n  "lines": 2,\n  "blankLines": 0,\n  "lineBreaks": {\n    "lf": 2,\n    "crlf": 0,\n    "cr": 0\n  },\n  "longestLine": {\n    "line": 1,\n    "codePoints": 20\n  },\n  "characters": {\n    "letters": 20,\n    "digits": 0,\n    "spaces": 7,\n    "punctuation": 2,\n    "other": 0\n  },\n  "entropyPerByte": 3.853863,\n  "frequent": [\n    {\n      "text": "the",\n      "count": 2\n    },\n    {\n      "text": "cat",\n      "count": 1\n    }\n  ]\n}',
    },
    {
      title: "What looks like one character: 7 code points, 25 bytes",
      input: { data: "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}", frequent: 0 },
      result:
        '{\n  "bytes": 25,\n  "codePoints": 7,\n  "graphemes": 1,\n  "words": 0,\n  "wordsBySpace": 1,\n  "sentences": 1,\n  "lines": 1,\n  "blankLines": 0,\n  "lineBreaks": {\n    "lf": 0,\n    "crlf": 0,\n    "cr": 0\n  },\n  "longestLine": {\n    "line": 1,\n    "codePoints": 7\n  },\n  "characters": {\n    "letters": 0,\n    "digits": 0,\n    "spaces": 0,\n    "punctuation": 0,\n    "other": 7\n  },\n  "entropyPerByte": 3.11327,\n  "frequent": []\n}',
    },
    {
      title: "The most frequent lines of a log",
      input: { data: "GET /\nGET /a\nGET /\n", unit: "line", frequent: 1 },
      result:
        '{\n  "bytes": 19,\n  "codePoints": 19,\n  "graphemes": 19,\n  "words": 4,\n  "wordsBySpace": 6,\n  "sentences": 3,\n  "lines": 3,\n  "blankLines": 0,\n  "lineBreaks": {\n    "lf": 3,\n    "crlf": 0,\n    "cr": 0\n  },\n  "longestLine": {\n    "line": 2,\n    "codePoints": 6\n  },\n  "characters": {\n    "letters": 10,\n    "digits": 0,\n    "spaces": 6,\n    "punctuation": 3,\n    "other": 0\n  },\n  "entropyPerByte": 2.746384,\n  "frequent": [\n    {\n      "text": "get /",\n      "count": 2\n    }\n  ]\n}',
    },
    {
      title: "Words of a language without spaces, and the entropy of its bytes",
      input: { data: "\u6771\u4eac\u306f\u6691\u3044", locale: "ja", frequent: 1 },
      result:
        '{\n  "bytes": 15,\n  "codePoints": 5,\n  "graphemes": 5,\n  "words": 3,\n  "wordsBySpace": 1,\n  "sentences": 1,\n  "lines": 1,\n  "blankLines": 0,\n  "lineBreaks": {\n    "lf": 0,\n    "crlf": 0,\n    "cr": 0\n  },\n  "longestLine": {\n    "line": 1,\n    "codePoints": 5\n  },\n  "characters": {\n    "letters": 5,\n    "digits": 0,\n    "spaces": 0,\n    "punctuation": 0,\n    "other": 0\n  },\n  "entropyPerByte": 3.506891,\n  "frequent": [\n    {\n      "text": "東京",\n      "count": 1\n    }\n  ]\n}',
    },
  ],
  run({ data, locale = "en", ...options }) {
    checkLocale(locale);
    return JSON.stringify(
      refusing(data, () => countText(data, { ...options, locale })),
      null,
      2,
    );
  },
});
