import { usageTable } from "../../../operations/usage/now.ts";
import { type UsageGroup, usageGroups } from "../../../services/usage/report.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import { usageError } from "../usage-error.ts";
import { writeList } from "./answer.ts";
import { callAdmin } from "./connect.ts";
import { writeUsage } from "./usage-history.ts";

export const usageCommand = defineLeaf({
  description: "Show each account's use of its quota in this hour, or with --since or --by its past usage.",
  args: {
    name: { type: "positional", required: false, description: "Only this account" },
    account: { type: "string", valueHint: "NAME", description: "Only this account; the same as NAME" },
    key: { type: "string", valueHint: "ID", description: "Only past usage of this key" },
    since: {
      type: "string",
      valueHint: "WHEN",
      description:
        "Past usage since then, up to 90 days: a duration such as 7d, a date or an instant (default 24h)",
    },
    by: {
      type: "string",
      valueHint: usageGroups.join("|"),
      description: "Group past usage by this (default account)",
    },
    csv: { type: "boolean", description: "Print past usage as comma-separated values" },
    ...jsonArg,
  },
  examples: [
    "penknife admin usage",
    "penknife admin usage --since 7d --by tool",
    "penknife admin usage ci --by hour --csv > usage.csv",
    "penknife admin usage --key key_… --since 90d --by day",
  ],
  async run({ name, account, key, since, by, csv, ...args }, host) {
    if (name !== undefined && account !== undefined && name !== account) {
      throw usageError("NAME and --account differ; give one of them.");
    }
    const one = name ?? account;
    const fields = one === undefined ? {} : { account: one };
    if (key === undefined && since === undefined && by === undefined && csv !== true) {
      const view = await callAdmin("usage", fields, args, host);
      return writeList(view, usageTable, args.json, host);
    }
    if (csv === true && args.json === true) throw usageError("Give --json or --csv, not both.");
    const report = await callAdmin(
      "usage.history",
      {
        ...fields,
        key,
        since,
        ...(by !== undefined && { by: toGroup(by) }),
      },
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
  throw usageError(
    `--by must be one of ${usageGroups.join(", ")}, got ${JSON.stringify(text.slice(0, 40))}.`,
  );
}
