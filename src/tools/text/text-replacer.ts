import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { partsOf } from "../../lib/text/lines.ts";
import { createLineReplacer, replaceText } from "../../lib/text/replace.ts";
import { createLineRun } from "../line-run.ts";
import { refusing, refusingOption } from "../refusing.ts";

const maxUnits = 64 * 1024 * 1024;

const input = z.object({
  data: z.string().describe("The text to search"),
  find: z.string().min(1).max(65_536).describe("Text or, depending on mode, regular expression to find"),
  replace: z
    .string()
    .max(65_536)
    .default("")
    .describe(
      "Replacement text; with a regular expression, $1, $<name> and ${name} insert groups, $& inserts the match and $$ a dollar sign",
    ),
  mode: z
    .enum(["literal", "re2", "regex"])
    .default("literal")
    .describe(
      "Kind of search: literal compares text; re2 runs in linear time, without look-around and backreferences; regex is a JavaScript expression with a deadline",
    ),
  flags: z
    .string()
    .max(8)
    .default("")
    .describe("Flags: i for every mode, m and s for re2 and regex, u and v for regex"),
  all: z.boolean().default(true).describe("Replace every match"),
});

export default defineTool({
  slug: "text-replacer",
  title: "Text replacer",
  summary: "Replace a text, or the matches of a regular expression, everywhere or once.",
  page: {
    tile: "Plain or by regular expression",
    layout: "pattern",
    view: "text+diff",
    options: ["find", "replace", "mode"],
    regex: { field: "find", engine: "mode" },
    labels: {
      data: "Text",
      find: "Find",
      replace: "Replace by",
      mode: "Find is",
      "mode=literal": "Text",
      "mode=re2": "RE2",
      "mode=regex": "JavaScript",
    },
  },
  accepts: "text",
  aliases:
    "sed, find and replace, search and replace, replace text, replace all, str_replace, regex replace, substitute, tr, string replace, replaceall, re.sub, bulk replace, rename in text, delete text",
  input,
  whenOff: { all: "Replace only the first match" },
  isolate: "process",
  exact: true,
  examples: [
    { input: { data: "a.b.c", find: ".", replace: "/" }, result: "a/b/c" },
    {
      title: "Groups, in an engine that runs in linear time",
      input: { data: "2026-01-31", find: "(?P<y>\\d+)-(\\d+)-(\\d+)", replace: "$3.$2.${y}", mode: "re2" },
      result: "31.01.2026",
    },
    {
      title: "Look-ahead, first match only",
      input: { data: "foobar foobaz", find: "foo(?=baz)", replace: "[$&]", mode: "regex", all: false },
      result: "foobar [foo]baz",
    },
  ],
  run: ({ data, ...options }) =>
    refusingOption("find", () => refusing(data, () => replaceText(data, options, maxUnits))),
  runBlocks(options) {
    // An expression may look at the lines around a match, and a text with a line end goes on in the next line.
    if (options.mode !== "literal" || options.find.includes("\n")) return undefined;
    const replacer = refusingOption("find", () => createLineReplacer(options, maxUnits));
    const growth = Math.max(1, options.replace.length / options.find.length);
    return createLineRun("text-replacer", {
      *write(lines) {
        for (const part of partsOf(lines, maxUnits / growth / 2))
          yield refusingOption("find", () => refusing(lines, () => replacer(part)));
      },
    });
  },
});
