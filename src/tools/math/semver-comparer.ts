import { z } from "zod";
import { isolateOver } from "../../catalog/inline.ts";
import { defineTool } from "../../catalog/tool.ts";
import { loadSemver, maxRange, releases } from "../../lib/semver.ts";
import { operate, semverOperations } from "../../lib/semver-operations.ts";
import { refusing, refusingOption } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .describe("The version; of valid, satisfies, bump and sort, versions one a line, at most 10,000"),
  op: z
    .enum(semverOperations)
    .default("compare")
    .describe(
      "compare with other (-1, 0, 1), test against range, bump by release, sort, tell whether valid, take apart, or take data as a range and write its comparators",
    ),
  other: z.string().max(256).optional().describe("Of compare, required there: the other version"),
  range: z
    .string()
    .max(maxRange)
    .optional()
    .describe("Of satisfies, required there: the range, as npm writes them"),
  release: z.enum(releases).optional().describe("Of bump, required there: what to raise"),
  identifier: z.string().max(128).optional().describe("Of bump: the name of a pre-release, such as rc"),
  identifierBase: z
    .enum(["0", "1", "none"])
    .optional()
    .describe("Of bump: the number of the first pre-release; 0 unless given, none for none"),
  order: z.enum(["asc", "desc"]).default("asc").describe("Of sort: the lowest or the highest first"),
  includePrerelease: z
    .boolean()
    .default(false)
    .describe("Whether a range takes in pre-releases it does not name"),
  loose: z.boolean().default(false).describe("Whether v1.2.3, =1.2.3 and 1.2.3beta are versions"),
});

/** The most characters of versions that are compared on the event loop, which takes some 5 ms. */
const mostInline = 16_384;

export default defineTool({
  slug: "semver-comparer",
  title: "Semver comparer",
  summary: "Compare, test, bump, sort and take apart semantic versions (SemVer 2.0.0, ranges of npm).",
  input,
  examples: [
    { input: { data: "1.0.0-rc.10", other: "1.0.0-rc.9" }, result: "1" },
    {
      title: "A pre-release is in a range only where the range names one of that version",
      input: { data: "1.2.3\n2.0.0\n1.3.0-rc.1", op: "satisfies", range: "^1.2" },
      result: "true\nfalse\nfalse",
    },
    {
      title: "The next release candidate",
      input: { data: "2.0.0-rc.9", op: "bump", release: "prerelease", identifier: "rc" },
      result: "2.0.0-rc.10",
    },
    {
      title: "By number and not by letter",
      input: { data: "1.10.0\n1.9.0\n1.9.0-beta", op: "sort" },
      result: "1.9.0-beta\n1.9.0\n1.10.0",
    },
  ],
  async run(options, context) {
    isolateOver(options.data.length, mostInline, context);
    const semver = await loadSemver(options);
    return refusingOption("operation", () => refusing(options.data, () => operate(semver, options)));
  },
});
