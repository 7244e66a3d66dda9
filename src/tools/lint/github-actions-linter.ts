import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { type Report, toReport } from "../../catalog/report.ts";
import { defineTool } from "../../catalog/tool.ts";
import { lintActions } from "../../lib/github-actions/lint.ts";
import { actionsAliases, actionsRules } from "../../lib/github-actions/rule-names.ts";
import { toSortedFindings } from "../findings.ts";
import { githubActionsExamples } from "../github-actions-linter-examples.ts";

export default defineTool({
  slug: "github-actions-linter",
  title: "GitHub Actions linter",
  summary:
    "Lint GitHub Actions workflows and action metadata: keys, expressions, order of jobs, script injection.",
  page: {
    tile: "Workflows and action.yml",
    layout: "check",
    view: "report",
    options: ["kind", "pin", "permissions"],
    labels: {
      data: "Workflow",
      labels: "Labels of your runners",
      pin: "Versions of actions",
      permissions: "Missing permissions",
      ignore: "Leave out",
    },
  },
  accepts: "a workflow of GitHub Actions, or an action.yml",
  aliases:
    "actionlint, zizmor, github actions, gha, workflow yaml, github workflow syntax, validate workflow, action.yml, action metadata, workflow linter, script injection, pin actions, unpinned actions",
  input: z.object({
    data: z.string().describe("The workflow, or the metadata of an action"),
    kind: z
      .enum(["auto", "workflow", "action"])
      .default("auto")
      .describe("Kind of the document; auto takes one with runs and without jobs for an action"),
    labels: z
      .array(z.string().min(1).max(256))
      .max(100)
      .default([])
      .describe("Labels of runners of your own; * stands for any characters"),
    pin: z
      .enum(["off", "tag", "sha"])
      .default("off")
      .describe("Versions of actions that are allowed: any, tags and commits, or commits"),
    permissions: z
      .enum(["off", "warn"])
      .default("off")
      .describe("Warn of jobs without permissions, and of those with all"),
    ignore: z
      .array(z.string().max(64))
      .max(100)
      .default([])
      .describe(
        `Rules to leave out: ours (${actionsRules.join(", ")}), or those of other linters, such as actionlint/expression and zizmor/template-injection`,
      ),
  }),
  examples: githubActionsExamples,
  isolate: "process",
  check: "report",
  async run({ data, ...options }): Promise<Report> {
    const known = [...actionsRules, ...actionsAliases];
    const wrong = options.ignore.find((name) => !known.includes(name));
    if (wrong !== undefined) throw invalidField("ignore", `Must be rules: ${known.join(", ")}.`);
    return toReport(toSortedFindings(data, await lintActions(data, options)));
  },
});
