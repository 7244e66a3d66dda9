import { OptionFault } from "../../lib/fault.ts";
import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { isJsPattern, matchAllJs } from "../../lib/regex/js.ts";
import { takeMatches } from "../../lib/regex/match.ts";
import { matchAllRe2 } from "../../lib/regex/re2.ts";
import { refusing, refusingOption, toSentence } from "../refusing.ts";

const maxUnits = 32 * 1024 * 1024;

const input = z.object({
  data: z.string().describe("The text to search"),
  pattern: z.string().max(65_536).describe("The regular expression, without slashes around it"),
  flags: z
    .string()
    .max(8)
    .default("")
    .describe(
      "Letters: i, m and s for both engines, u, v and y for js; g is taken and changes nothing, all matches are told",
    ),
  engine: z
    .enum(["re2", "js"])
    .default("re2")
    .describe(
      "re2 is linear in time, without look-around and back-references; js is V8's, and a deadline ends what backtracks too long",
    ),
  limit: z.int().min(1).max(10_000).default(1000).describe("How many matches are told at most"),
});

export default defineTool({
  slug: "regex-tester",
  title: "Regex tester",
  summary: "List what a regular expression matches, with places (in UTF-16 code units) and groups.",
  input,
  isolate: "process",
  examples: [
    {
      input: { data: "due 2026-01-31", pattern: "(?P<year>\\d{4})-(\\d\\d)" },
      result:
        '{\n  "matches": [\n    {\n      "match": "2026-01",\n      "index": 4,\n      "end": 11,\n      "groups": [\n        "2026",\n        "01"\n      ],\n      "named": {\n        "year": "2026"\n      }\n    }\n  ],\n  "count": 1,\n  "truncated": false\n}',
    },
    {
      title: "Empty matches, a group that took no part, and the limit",
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
        const { matches, truncated } = takeMatches(found, limit, maxUnits);
        return JSON.stringify({ matches, count: matches.length, truncated }, null, 2);
      }),
    );
  },
});

const allowed = { re2: "gims", js: "gimsuvy" } as const;

async function findMatches(pattern: string, flags: string, engine: "re2" | "js", text: string) {
  if (engine === "js") return matchAllJs(pattern, flags, text);
  try {
    return await matchAllRe2(pattern, flags, text);
  } catch (error) {
    // Look-around and back-references are what RE2 most often refuses.
    if (!(error instanceof OptionFault) || !isJsPattern(pattern, flags)) throw error;
    throw new OptionFault(`${toSentence(error)} The engine js takes it.`);
  }
}
