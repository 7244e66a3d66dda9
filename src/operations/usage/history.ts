import { z } from "zod";
import { usageGroups } from "../../services/usage/report.ts";
import { usageQuery } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { reportsOf, reportView } from "./view.ts";

export const showHistory = defineOperation({
  name: "usage.history",
  summary: "Report the usage of up to 90 days by account, key, tool, hour or day.",
  kind: "reads",
  callers: "owner",
  input: z.strictObject({
    ...usageQuery,
    by: z.enum(usageGroups).optional(),
    hourly: z.boolean().optional(),
  }),
  output: reportView,
  byHand: { command: "usage --since" },
  async run(context, { by = "account", ...query }) {
    const [report] = await reportsOf(context, [by], query);
    if (report === undefined) throw new TypeError("nothing was reported");
    return report;
  },
});
