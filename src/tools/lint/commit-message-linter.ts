import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { lintCommitMessage } from "../../lib/lint/commit-message.ts";
import { toSortedFindings } from "../findings.ts";

const word = z.string().min(1).max(64);

export default defineTool({
  slug: "commit-message-linter",
  title: "Commit message linter",
  version: "1.1.0",
  summary: "Check a commit message against Conventional Commits.",
  page: {
    tile: "Conventional Commits",
    layout: "check",
    view: "report",
    options: ["types", "maxHeader"],
    labels: { data: "Commit message", types: "Types", maxHeader: "Longest header" },
  },
  accepts: "a commit message",
  aliases:
    "commitlint, conventional commits, commit message check, git commit lint, semantic commits, commit convention, gitlint, commitizen, commit-msg hook, semantic release",
  input: z.object({
    data: z.string().describe("The message; lines that begin with # are comments, as in git"),
    types: z
      .array(word)
      .min(1)
      .max(100)
      .default(["feat", "fix", "docs", "style", "refactor", "perf", "test", "build", "ci", "chore", "revert"])
      .describe("Allowed types"),
    maxHeader: z
      .int()
      .min(10)
      .max(1000)
      .default(100)
      .describe("Maximum length of the first line, in characters"),
    scopes: z.array(word).max(1000).optional().describe("Allowed scopes; defaults to any"),
  }),
  check: "report",
  examples: [
    {
      input: { data: "feat(api)!: drop the old route\n\nBREAKING CHANGE: /v1 is gone\n" },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "An unknown type, and no blank line before the body",
      input: { data: "feature: add a thing\nIt does much.", types: ["feat", "fix"] },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "\\"feature\\" is not an allowed type; expected feat, fix.",\n      "severity": "error",\n      "rule": "type-unknown",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    },\n    {\n      "message": "A blank line must separate the header from the body.",\n      "severity": "error",\n      "rule": "body-blank-line",\n      "line": 2,\n      "column": 1,\n      "offset": 21,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "Messages that git generates are accepted",
      input: { data: "Merge branch 'main' into topic\n# a comment\n" },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
  ],
  run: ({ data, ...rules }) => toReport(toSortedFindings(data, lintCommitMessage(data, rules))),
});
