import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { createSeededRandom } from "../../lib/seeded-random.ts";
import { formatUuids } from "../../lib/uuid/format.ts";
import { namedUuids, toNamespace } from "../../lib/uuid/named.ts";
import { randomUuids } from "../../lib/uuid/random.ts";
import { gregorianUuids, timeRange, unixUuids } from "../../lib/uuid/timed.ts";
import { now, nowOf } from "../now.ts";

const versions = ["1", "3", "4", "5", "6", "7", "8", "nil", "max"] as const;

const input = z.object({
  // Accepts the number 4 as well as the string.
  version: z.coerce
    .string()
    .pipe(z.enum(versions))
    .meta({ enum: versions })
    .default("4")
    .describe(
      "UUID version: 4 is random, 6 and 7 sort by time, 1 contains the time, 3 (MD5) and 5 (SHA-1) are derived from a name, 8 has random bits under the mark of custom ones",
    ),
  count: z.int().min(1).max(10_000).default(1).describe("Number to generate, one per line"),
  namespace: z
    .string()
    .max(64)
    .optional()
    .describe("Namespace of versions 3 and 5: dns, url, oid, x500 or a UUID; defaults to dns"),
  name: z
    .string()
    .max(65_536)
    .optional()
    .describe("Name from which versions 3 and 5 are derived; required for these versions"),
  upper: z.boolean().default(false).describe("Use upper-case digits"),
  seed: z.string().max(1024).optional().describe("Seed for repeatable results; for tests, never for secrets"),
  now,
});

export default defineTool({
  slug: "uuid-generator",
  title: "UUID generator",
  version: "1.1.0",
  summary: "Generate UUIDs of version 1, 3, 4, 5, 6, 7 or 8, nil or max (RFC 9562).",
  page: {
    tile: "Versions 1 to 8, nil, max",
    layout: "generate",
    view: "value:time",
    options: ["version", "count", "upper"],
    labels: {
      "version=1": "1 by time",
      "version=3": "3 by name",
      "version=4": "4 random",
      "version=5": "5 by name",
      "version=6": "6 by time",
      "version=7": "7 by time",
      "version=8": "8 custom",
      "version=nil": "nil",
      "version=max": "max",
      upper: "Capitals",
    },
  },
  aliases:
    "uuid, guid, uuidgen, uuid v4, uuid v7, uuid v1, uuid v5, uuid v3, md5 uuid, uuidv4, uuidv7, random uuid, unique identifier, new-guid, crypto.randomuuid, uuid.uuid4, globally unique identifier, namespace uuid, nil uuid, bulk guid, sortable uuid, time-ordered id",
  input,
  deterministic: false,
  examples: [
    { input: { version: "5", name: "www.example.com" }, result: "2ed6657d-e927-568b-95e1-2665a8aea6a2" },
    {
      title: "Three UUIDs in order, the same on every run",
      input: { version: "7", count: 3, seed: "golden file", now: "2026-01-02T03:04:05.678Z" },
      result:
        "019b7ca9-8f2e-767a-bec7-e06549fd34ce\n019b7ca9-8f2e-767a-bec7-e06605527833\n019b7ca9-8f2e-767a-bec7-e06607f944d4",
    },
  ],
  run: ({ upper, ...options }, context) => formatUuids(generate(options, context), upper),
});

function generate(options: Omit<z.output<typeof input>, "upper">, context: ToolContext): Uint8Array {
  const { version, count, namespace = "dns", name } = options;
  if (version === "3" || version === "5") {
    if (name === undefined) throw invalidField("name", `Version ${version} follows from a name; give one.`);
    if (!name.isWellFormed()) throw invalidField("name", "Half of a surrogate pair stands alone in it.");
    const space = toNamespace(namespace);
    if (space === undefined) throw invalidField("namespace", "Must be dns, url, oid, x500 or a UUID.");
    return namedUuids(version, count, space, name);
  }
  if (name !== undefined) throw invalidField("name", "Only versions 3 and 5 follow from a name.");
  if (options.namespace !== undefined) throw invalidField("namespace", "Only versions 3 and 5 have one.");
  if (version === "nil" || version === "max")
    return new Uint8Array(16 * count).fill(version === "nil" ? 0 : 0xff);
  const random = options.seed === undefined ? context.random : createSeededRandom(options.seed);
  if (version === "4" || version === "8") return randomUuids(version, count, random);
  const time = nowOf(options, context);
  const { from, to } = timeRange[version];
  if (time < from || time > to) throw invalidField("now", `Version ${version} cannot represent this time.`);
  return version === "7" ? unixUuids(count, time, random) : gregorianUuids(version, count, time, random);
}
