import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { toJson } from "../../lib/data/to-json.ts";
import { type NdjsonReadOptions, readNdjson } from "../../lib/ndjson/read.ts";
import { createLineRun } from "../line-run.ts";
import { advising, refusing } from "../refusing.ts";

export default defineTool({
  slug: "ndjson-to-json",
  title: "NDJSON to JSON",
  version: "1.1.0",
  summary: "Convert newline-delimited JSON to a JSON array.",
  page: {
    tile: "Lines to an array",
    view: "code:json+table",
    options: ["indent", "skipInvalid"],
    labels: { skipInvalid: "Skip invalid lines" },
  },
  accepts: "NDJSON",
  aliases:
    "jsonl to json, json lines to array, jq -s, jq slurp, jsonl, ldjson, jsonlines to json, lines to array, merge json lines, structured log to json",
  input: z.object({
    data: z.string().describe("The lines, each a JSON document; blank lines are skipped"),
    skipInvalid: z
      .boolean()
      .default(false)
      .describe("Skip lines that are not JSON instead of refusing the document"),
    indent: z.int().min(0).max(10).default(2).describe("Spaces per level, 0 to 10; 0 for a single line"),
  }),
  isolate: "thread",
  examples: [
    { input: { data: '{"a":1}\n{"a":2}\n', indent: 0 }, result: '[{"a":1},{"a":2}]' },
    {
      title: "Numbers keep their notation; an invalid and a blank line are skipped",
      input: { data: '1.0\r\n\r\n{"a":\r\n12345678901234567890', skipInvalid: true },
      result: "[\n  1.0,\n  12345678901234567890\n]",
    },
  ],
  run: ({ data, skipInvalid, indent }) => toArray(data, { skipInvalid }, indent),
  runBlocks({ skipInvalid, indent }) {
    let begun = false;
    return createLineRun("ndjson-to-json", {
      write(lines, before) {
        const array = toArray(lines, { skipInvalid, isBeginning: before.bytes === 0 }, indent);
        if (array === "[]") return [];
        const items = `${begun ? "," : "["}${array.slice(1, indent === 0 ? -1 : -2)}`;
        begun = true;
        return [items];
      },
      end: () => (!begun ? "[]" : indent === 0 ? "]" : "\n]"),
    });
  },
});

const toArray = (lines: string, options: NdjsonReadOptions, indent: number): string =>
  refusing(lines, () =>
    advising(
      () => toJson(readNdjson(lines, options), indent),
      ({ rule }) =>
        rule === "result-too-large" ? undefined : "To skip such lines, set skipInvalid to true.",
    ),
  );
