import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool } from "../../catalog/tool.ts";
import { drawUlids, maxUlidTime } from "../../lib/random/ulid.ts";
import { createSeededRandom } from "../../lib/seeded-random.ts";
import { now, nowOf } from "../now.ts";

const input = z.object({
  count: z
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .describe("Number to generate, one per line, in ascending order"),
  seed: z
    .string()
    .max(1024)
    .optional()
    .describe("Seed of the random part, for repeatable results; for tests, never for secrets"),
  now,
});

export default defineTool({
  slug: "ulid-generator",
  title: "ULID generator",
  summary: "Generate ULIDs, identifiers that sort by creation time.",
  page: { tile: "Sorts by creation time", layout: "generate", view: "value:time", options: ["count"] },
  aliases:
    "ulid, sortable id, sortable unique identifier, lexicographically sortable, time ordered id, monotonic id",
  input,
  deterministic: false,
  examples: [
    { input: { seed: "golden file", now: "2016-07-30T22:36:16.385Z" }, result: "01ARYZ6S412SX7XHZ0CN4ZTD6E" },
    {
      title: "Three ULIDs of one millisecond, in order",
      input: { count: 3, seed: "golden file", now: "2026-01-02T03:04:05.678Z" },
      result: "01KDYAK3SE2SX7XHZ0CN4ZTD6E\n01KDYAK3SE2SX7XHZ0CN4ZTD6F\n01KDYAK3SE2SX7XHZ0CN4ZTD6G",
    },
  ],
  run({ count, seed, ...options }, context) {
    const time = nowOf(options, context);
    if (time < 0 || time > maxUlidTime)
      throw invalidField("now", "A ULID cannot represent a time before 1970.");
    const random = seed === undefined ? context.random : createSeededRandom(seed);
    return drawUlids(count, time, random).join("\n");
  },
});
