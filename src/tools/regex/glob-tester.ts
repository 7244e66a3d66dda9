import { DocumentFault, OptionFault } from "../../lib/fault.ts";
import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { createIgnore, createOwned } from "../../lib/glob/git.ts";
import { parseGlob } from "../../lib/glob/parse.ts";
import { createMatcher } from "../../lib/glob/program.ts";
import { refusingOption } from "../refusing.ts";

const input = z.object({
  data: z
    .string()
    .describe("The paths, one per line, separated by /; with gitignore, a trailing / marks a folder"),
  pattern: z
    .string()
    .min(1)
    .max(65_536)
    .describe("The glob; for gitignore and codeowners, one or more lines of such a file"),
  dialect: z
    .enum(["glob", "gitignore", "codeowners"])
    .default("glob")
    .describe(
      "Pattern dialect: glob is that of shells and CI filters, with **, {a,b} and @(a|b); gitignore lists the paths that Git ignores; codeowners the paths that have an owner on GitHub",
    ),
  dot: z
    .boolean()
    .default(false)
    .describe("Match names that begin with a dot, as CI filters do and shells do not; for glob only"),
});

export default defineTool({
  slug: "glob-tester",
  title: "Glob tester",
  summary: "List the paths that a glob, the lines of a gitignore or a CODEOWNERS file match.",
  accepts: "paths, one per line",
  aliases:
    "glob, minimatch, fnmatch, picomatch, wildcard, wildcard match, gitignore, test gitignore, git check-ignore, codeowners, who owns file, path filter, file pattern, dockerignore, globstar, match paths",
  input,
  isolate: "process",
  examples: [
    {
      input: { data: "src/a.ts\nsrc/lib/b.ts\nsrc/c.js\nREADME.md", pattern: "src/**/*.{ts,tsx}" },
      result: "src/a.ts\nsrc/lib/b.ts",
    },
    {
      title: "An exception has no effect in an ignored folder",
      input: {
        data: "build/keep.txt\nlogs/a.log\nlogs/keep.log",
        pattern: "build/\n!build/keep.txt\n*.log\n!keep.log",
        dialect: "gitignore",
      },
      result: "build/keep.txt\nlogs/a.log",
    },
    {
      title: "The last matching line wins; one without owners removes them",
      input: {
        data: "docs/a.md\ndocs/x/b.md\nsrc/c.ts",
        pattern: "docs/* @writers\nsrc/\n",
        dialect: "codeowners",
      },
      result: "docs/a.md",
    },
  ],
  run({ data, pattern, dialect, dot }) {
    const matches = compile(pattern, dialect, dot);
    const paths = data.split(/\r?\n/).filter((path) => path !== "");
    return paths.filter(matches).join("\n");
  },
});

function compile(pattern: string, dialect: z.output<typeof input>["dialect"], dot: boolean) {
  return refusingOption("pattern", () => {
    try {
      if (dialect === "gitignore") return createIgnore(pattern);
      if (dialect === "codeowners") return createOwned(pattern);
      return createMatcher(parseGlob(pattern, { dot, groups: true, classes: true }));
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      throw new OptionFault(error.message, error.at);
    }
  });
}
