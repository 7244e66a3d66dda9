import { z } from "zod";
import { isolateOver } from "../../catalog/inline.ts";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { joinLines, splitLines } from "../../lib/text/lines.ts";
import { sortLines } from "../../lib/text/sort-lines.ts";

export default defineTool({
  slug: "line-sorter",
  title: "Line sorter",
  summary: "Sort, reverse or shuffle lines, and drop repeated ones.",
  input: z.object({
    data: z.string().describe("The lines"),
    order: z
      .enum(["asc", "desc", "keep", "reverse", "shuffle"])
      .default("asc")
      .describe(
        "asc and desc sort; keep leaves the order, for unique; reverse turns it round; shuffle needs seed",
      ),
    unique: z.boolean().default(false).describe("Whether of equal lines the first alone is kept"),
    numeric: z
      .boolean()
      .default(false)
      .describe("Whether lines are sorted by the number they begin with, of any size; without one it is 0"),
    natural: z
      .boolean()
      .default(false)
      .describe("Whether numbers in the text count by value: item2 before item10"),
    ignoreCase: z.boolean().default(false).describe("Whether upper and lower case are the same"),
    locale: z
      .string()
      .max(64)
      .optional()
      .describe("A BCP 47 language tag whose alphabet sorts; Unicode code points unless given"),
    seed: z
      .string()
      .max(1024)
      .optional()
      .describe("What the order of shuffle follows from; the same seed, the same order"),
  }),
  check: "change",
  exact: true,
  examples: [
    { input: { data: "pear\napple\nfig\n" }, result: "apple\nfig\npear\n" },
    {
      title: "Numbers by value, without repeats",
      input: { data: "v1.10\nv1.9\nv1.10", natural: true, unique: true },
      result: "v1.9\nv1.10",
    },
    {
      title: "Larger than any floating-point number can tell apart, downwards",
      input: { data: "9007199254740992\n9007199254740993\n-1.5", numeric: true, order: "desc" },
      result: "9007199254740993\n9007199254740992\n-1.5",
    },
    {
      title: "The alphabet of a language",
      input: { data: "zebra\nöl\nord", locale: "sv" },
      result: "ord\nzebra\nöl",
    },
  ],
  run({ data, numeric, natural, ...options }, context) {
    if (numeric && natural) throw invalidField("natural", "Sort by numeric or by natural, not by both.");
    if (options.order === "shuffle" && options.seed === undefined) {
      throw invalidField(
        "seed",
        "shuffle needs a seed, any text, so that the same call gives the same order.",
      );
    }
    try {
      Intl.getCanonicalLocales(options.locale);
    } catch {
      throw invalidField("locale", "Must be a BCP 47 language tag, such as en or pt-BR.");
    }
    const { lines, ...ends } = splitLines(data);
    // Sorting 1,500 lines by the alphabet of a language takes some 5 ms.
    isolateOver(lines.length, 1500, context);
    const by = numeric ? "numeric" : natural ? "natural" : "text";
    return joinLines(sortLines(lines, { ...options, by }), ends);
  },
});
