import { OptionFault } from "../../lib/fault.ts";
import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { isJsPattern, matchAllJs } from "../../lib/regex/js.ts";
import { hintFor } from "../../lib/regex/hint.ts";
import { takeMatches } from "../../lib/regex/match.ts";
import { matchAllRe2 } from "../../lib/regex/re2.ts";
import { refusing, refusingOption, toSentence } from "../refusing.ts";

const input = z.object({
  data: z.string().describe("The text to search"),
  pattern: z.string().max(65_536).describe("The regular expression, without slashes around it"),
  flags: z
    .string()
    .max(8)
    .default("")
    .describe(
      "Flags: i, m, s and x (white space and comments in the pattern are layout) for both engines, u, v and y for js; g is accepted without effect, because all matches are reported",
    ),
  engine: z
    .enum(["re2", "js"])
    .default("re2")
    .describe(
      "Regular expression engine: re2 runs in linear time, without look-around and backreferences; js is that of V8, with a deadline",
    ),
  limit: z.int().min(1).max(10_000).default(1000).describe("Maximum number of matches to report"),
});

export default defineTool({
  slug: "regex-tester",
  title: "Regex tester",
  version: "1.2.0",
  summary: "List the matches of a regular expression, with groups and positions (in UTF-16 code units).",
  page: {
    tile: "Matches and groups, marked",
    layout: "pattern",
    view: "match",
    options: ["pattern", "engine"],
    regex: { field: "pattern", engine: "engine" },
    labels: { data: "Text", pattern: "Pattern", "engine=re2": "RE2", "engine=js": "JavaScript" },
  },
  accepts: "the text to search",
  aliases:
    "regex, regexp, regular expression, regex101, regexr, regex match, test regex, regex groups, capture groups, re2, regex debugger, regex checker, grep -o, find all matches, re.findall, extract with regex",
  input,
  isolate: "process",
  examples: [
    {
      input: { data: "due 2026-01-31", pattern: "(?P<year>\\d{4})-(\\d\\d)" },
      result:
        '{\n  "matches": [\n    {\n      "match": "2026-01",\n      "index": 4,\n      "end": 11,\n      "groups": [\n        "2026",\n        "01"\n      ],\n      "named": {\n        "year": "2026"\n      }\n    }\n  ],\n  "count": 1,\n  "truncated": false\n}',
    },
    {
      title: "Empty matches, a group that did not participate, and the limit",
      input: { data: "ba", pattern: "(a)?", engine: "js", limit: 2 },
      result:
        '{\n  "matches": [\n    {\n      "match": "",\n      "index": 0,\n      "end": 0,\n      "groups": [\n        null\n      ],\n      "named": {}\n    },\n    {\n      "match": "a",\n      "index": 1,\n      "end": 2,\n      "groups": [\n        "a"\n      ],\n      "named": {}\n    }\n  ],\n  "count": 2,\n  "truncated": true\n}',
    },
  ],
  async run({ data, pattern, flags, engine, limit }) {
    const wrong = [...flags].find((flag, at) => !allowed[engine].includes(flag) || flags.indexOf(flag) < at);
    if (wrong !== undefined || (flags.includes("u") && flags.includes("v"))) {
      throw invalidField(
        "flags",
        `${engine} takes ${allowed[engine]}, each once${engine === "js" ? ", and not u with v" : ""}.`,
      );
    }
    return refusing(data, () =>
      refusingOption("pattern", async () => {
        const found = await findMatches(pattern, flags, engine, data);
        const { matches, truncated } = takeMatches(found, limit, 32 * 1024 * 1024);
        const hint = hintFor(pattern, flags, matches.length);
        return JSON.stringify({ matches, count: matches.length, truncated, hint }, null, 2);
      }),
    );
  },
});

const allowed = { re2: "gimsx", js: "gimsuvyx" } as const;

async function findMatches(pattern: string, flags: string, engine: "re2" | "js", text: string) {
  if (engine === "js") return matchAllJs(pattern, flags, text);
  try {
    return await matchAllRe2(pattern, flags, text);
  } catch (error) {
    // Most patterns that RE2 refuses use look-around or backreferences, which js supports.
    if (!(error instanceof OptionFault) || !isJsPattern(pattern, flags)) throw error;
    throw new OptionFault(`${toSentence(error)} The engine js takes it.`);
  }
}
