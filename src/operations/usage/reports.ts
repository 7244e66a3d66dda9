import { z } from "zod";
import { usageGroups, type UsageReport } from "../../services/usage/report.ts";
import { usageQuery } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { reportsOf, reportView } from "./view.ts";

export const showReports = defineOperation({
  name: "usage.reports",
  summary: "Report the usage of up to 90 days by each of account, key, tool, hour and day, from one reading.",
  kind: "reads",
  callers: "owner",
  input: z.strictObject(usageQuery),
  output: z.record(z.enum(usageGroups), reportView),
  byHand: { field: "usage" },
  async run(context, query) {
    const reports = await reportsOf(context, usageGroups, query);
    return Object.fromEntries(reports.map((report) => [report.by, report])) as Record<
      UsageReport["by"],
      UsageReport
    >;
  },
});
