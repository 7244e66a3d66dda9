import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { now, nowOf } from "../now.ts";
import {
  compareDescriptions,
  toDescriptionReport,
  writeDescriptionChanges,
  writeDescriptionSummary,
} from "../openapi-changes.ts";
import { differExamples } from "../openapi-differ-examples.ts";

export default defineTool({
  slug: "openapi-differ",
  title: "OpenAPI differ",
  summary: "Compare two OpenAPI descriptions and say which changes break clients.",
  page: {
    tile: "What breaks clients of an API",
    layout: "compare",
    view: "table",
    options: ["format"],
    second: "other",
    start: { format: "json" },
    labels: {
      data: "Old description",
      other: "New description",
      "format=report": "Report",
      "format=json": "Table",
      "format=markdown": "List",
      failOn: "A check fails on",
      ignore: "Leave out",
      old: "Old document",
      "old=data": "The first",
      "old=other": "The second",
    },
  },
  accepts: "an OpenAPI description in JSON or YAML",
  aliases:
    "oasdiff, openapi-diff, openapi diff, swagger diff, breaking changes api, api changelog, compare openapi, rest breaking changes, openapi changelog, backward compatibility",
  input: z.object({
    data: z.string().describe("The old description (2.0, 3.0, 3.1 or 3.2), in JSON or YAML"),
    other: z.string().max(16_777_216).meta({ json: "object" }).describe("The new description"),
    format: z
      .enum(["report", "markdown", "json"])
      .default("report")
      .describe(
        "Result: report has what fails a check and what may break clients, json every change with its place, markdown every change for people",
      ),
    failOn: z
      .enum(["breaking", "any", "never"])
      .default("breaking")
      .describe("Changes with which a report is not valid: breaking ones, any, or none"),
    ignore: z
      .array(z.string().max(500))
      .max(200)
      .default([])
      .describe(
        "Changes to leave out: ids of rules (path-removed), ids of oasdiff (api-path-removed-without-deprecation), and operations (/internal/*, GET /pets)",
      ),
    old: z
      .enum(["data", "other"])
      .default("data")
      .describe("The field with the old description; the places of a report are in data"),
    now,
  }),
  isolate: "process",
  deterministic: false,
  examples: differExamples,
  check: "difference",
  against: { old: "other" },
  async run({ data, other, format, failOn, ...options }, context) {
    const pair = await compareDescriptions(data, other, options, nowOf(options, context));
    if (format === "json") return writeDescriptionChanges(pair);
    if (format === "markdown") return writeDescriptionSummary(pair);
    return toDescriptionReport(pair, failOn, options.old === "data");
  },
  report: async ({ data, other, failOn, ...options }, context) =>
    toDescriptionReport(
      await compareDescriptions(data, other, options, nowOf(options, context)),
      failOn,
      options.old === "data",
    ),
});
