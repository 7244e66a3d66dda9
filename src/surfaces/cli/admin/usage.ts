import type { ListView, UsageView } from "../../../services/admin/admin.ts";
import { type UsageGroup, usageGroups, type UsageReport } from "../../../services/usage/report.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import { usageError } from "../usage-error.ts";
import { usageShape, writeList } from "./answer.ts";
import { callAdmin } from "./connect.ts";
import { writeUsage } from "./usage-history.ts";

export const usageCommand = defineLeaf({
  description:
    "Show what each account has used of its quota in this hour, or with --since or --by what was used until now.",
  args: {
    name: { type: "positional", required: false, description: "Only one account" },
    account: { type: "string", valueHint: "NAME", description: "The same" },
    since: {
      type: "string",
      valueHint: "WHEN",
      description:
        "The past, up to 90 days: a duration back from now such as 7d, or an instant; 24h unless given",
    },
    by: {
      type: "string",
      valueHint: usageGroups.join("|"),
      description: "The past, added up by; account unless given",
    },
    csv: { type: "boolean", description: "The past as comma-separated values" },
    ...jsonArg,
  },
  examples: [
    "penknife admin usage",
    "penknife admin usage --since 7d --by tool",
    "penknife admin usage ci --by hour --csv > usage.csv",
  ],
  async run({ name, account, since, by, csv, ...args }, host) {
    if (name !== undefined && account !== undefined && name !== account) {
      throw usageError("Two accounts are named; give one.");
    }
    const one = name ?? account;
    const fields = one === undefined ? {} : { account: one };
    if (since === undefined && by === undefined && csv !== true) {
      const view = await callAdmin<ListView<UsageView>>("usage", fields, args, host);
      return writeList(view, usageShape, args.json, host);
    }
    if (csv === true && args.json === true) throw usageError("Give --json or --csv, not both.");
    const report = await callAdmin<UsageReport>(
      "usage.history",
      { ...fields, ...(since !== undefined && { since }), ...(by !== undefined && { by: toGroup(by) }) },
      args,
      host,
    );
    await writeUsage(report, csv === true ? "csv" : args.json === true ? "json" : "table", host);
    return 0;
  },
});

function toGroup(text: string): UsageGroup {
  const group = usageGroups.find((each) => each === text);
  if (group !== undefined) return group;
  throw usageError(`--by takes ${usageGroups.join(", ")}, not ${JSON.stringify(text.slice(0, 40))}.`);
}
