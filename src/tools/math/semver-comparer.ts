import { z } from "zod";
import { isolateOver } from "../../catalog/inline.ts";
import { defineTool } from "../../catalog/tool.ts";
import { loadSemver, maxRange, releases } from "../../lib/semver.ts";
import { operate, semverOperations } from "../../lib/semver-operations.ts";
import { refusing, refusingOption } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .describe(
      "The version; for valid, satisfies, max, min, bump and sort, up to 10,000 versions, one per line",
    ),
  op: z
    .enum(semverOperations)
    .default("compare")
    .describe(
      "Operation: compare data with other (-1, 0 or 1), validate it, test it against range, find the max or min version of a range, bump it by release, sort it, split it into parts, or expand it as a range into comparators",
    ),
  other: z.string().max(256).optional().describe("Version to compare with; required for compare"),
  range: z
    .string()
    .max(maxRange)
    .optional()
    .describe("Range in npm syntax, or with commas as in Cargo; required for satisfies, max and min"),
  release: z.enum(releases).optional().describe("Part of the version to raise; required for bump"),
  identifier: z.string().max(128).optional().describe("Name of a pre-release, such as rc; for bump only"),
  identifierBase: z
    .enum(["0", "1", "none"])
    .optional()
    .describe("Number of the first pre-release, or none; defaults to 0, for bump only"),
  order: z.enum(["asc", "desc"]).default("asc").describe("Sort order, for sort only"),
  includePrerelease: z.boolean().default(false).describe("Include pre-releases that a range does not name"),
  loose: z.boolean().default(false).describe("Accept v1.2.3, =1.2.3 and 1.2.3beta as versions"),
});

/** Characters of versions processed on the event loop at most, in some 5 ms. */
const maxInline = 16_384;

export default defineTool({
  slug: "semver-comparer",
  title: "Semver comparer",
  version: "1.2.1",
  summary: "Compare, test, bump, sort and parse semantic versions (SemVer 2.0.0, npm ranges).",
  page: {
    title: "SemVer comparer",
    tile: "Order, ranges, bumps",
    layout: "line",
    view: "table",
    tab: "Result",
    options: ["op", "range"],
    labels: { data: "Versions", op: "Do" },
  },
  accepts: "versions",
  aliases:
    "semver, semantic version, compare versions, version compare, bump version, npm version, npm range, version range, satisfies, sort versions, sort -V, next version, max satisfying, caret range, tilde range, latest version, git tag sort, is version greater",
  input,
  examples: [
    { input: { data: "1.0.0-rc.10", other: "1.0.0-rc.9" }, result: "1" },
    {
      title: "A pre-release satisfies a range only if the range names a pre-release of that version",
      input: { data: "1.2.3\n2.0.0\n1.3.0-rc.1", op: "satisfies", range: "^1.2" },
      result: "true\nfalse\nfalse",
    },
    {
      title: "The newest version that a range allows",
      input: { data: "v1.2.0\nv1.10.0\nv2.0.0", op: "max", range: "^1.2", loose: true },
      result: "v1.10.0",
    },
    {
      title: "The next release candidate",
      input: { data: "2.0.0-rc.9", op: "bump", release: "prerelease", identifier: "rc" },
      result: "2.0.0-rc.10",
    },
    {
      title: "Sorted numerically",
      input: { data: "1.10.0\n1.9.0\n1.9.0-beta", op: "sort" },
      result: "1.9.0-beta\n1.9.0\n1.10.0",
    },
  ],
  async run(options, context) {
    isolateOver(options.data.length, maxInline, context);
    const semver = await loadSemver(options);
    return refusingOption("operation", () => refusing(options.data, () => operate(semver, options)));
  },
});
