import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { ruleDialects, toRuleFinder } from "../../lib/glob/find-rule.ts";
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
    .enum(ruleDialects)
    .default("glob")
    .describe(
      "Pattern dialect: glob is that of shells and CI filters, with **, {a,b}, @(a|b) and !(a|b); gitignore lists the paths that Git ignores; codeowners the paths that have an owner on GitHub",
    ),
  output: z
    .enum(["paths", "rules"])
    .default("paths")
    .describe(
      "Form of the result: paths, or rules to put the line that decides before each path, as line number, colon, line and tab, like git check-ignore -v",
    ),
  dot: z
    .boolean()
    .default(false)
    .describe("Match names that begin with a dot, as CI filters do and shells do not; for glob only"),
});

export default defineTool({
  slug: "glob-tester",
  title: "Glob tester",
  version: "1.2.0",
  summary: "List the paths that a glob, the lines of a gitignore or a CODEOWNERS file match.",
  page: {
    tile: "gitignore, CODEOWNERS, globs",
    layout: "pattern",
    view: "match:lines",
    tab: "Paths",
    options: ["pattern", "dialect", "output"],
    labels: {
      data: "Paths",
      pattern: "Pattern",
      output: "Show",
      "output=paths": "Paths",
      "output=rules": "Rules",
    },
  },
  accepts: "paths, one per line",
  aliases:
    "glob, extglob, minimatch, fnmatch, picomatch, wildcard, wildcard match, gitignore, test gitignore, git check-ignore, codeowners, who owns file, path filter, file pattern, globstar, match paths",
  input,
  isolate: "process",
  examples: [
    {
      input: { data: "src/a.ts\nsrc/lib/b.ts\nsrc/c.js\nREADME.md", pattern: "src/**/*.{ts,tsx}" },
      result: "src/a.ts\nsrc/lib/b.ts",
    },
    {
      title: "Names that a group does not match",
      input: { data: "src/a.ts\nsrc/a.test.ts\nsrc/b.js", pattern: "src/!(*.test.ts|*.js)" },
      result: "src/a.ts",
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
      title: "The last matching line wins, here with its owners; one without owners removes them",
      input: {
        data: "docs/a.md\ndocs/x/b.md\nsrc/c.ts",
        pattern: "* @all\n\ndocs/* @writers\nsrc/\n",
        dialect: "codeowners",
        output: "rules",
      },
      result: "3:docs/* @writers\tdocs/a.md\n1:* @all\tdocs/x/b.md",
    },
  ],
  run({ data, pattern, dialect, output, dot }) {
    const find = refusingOption("pattern", () => toRuleFinder(pattern, dialect, dot));
    const found: string[] = [];
    for (const path of data.split(/\r?\n/)) {
      const rule = path === "" ? undefined : find(path);
      if (rule !== undefined) found.push(output === "rules" ? `${rule.line}:${rule.text}\t${path}` : path);
    }
    return found.join("\n");
  },
});
