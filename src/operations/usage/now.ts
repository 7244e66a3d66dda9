import { z } from "zod";
import type { AccountRecord } from "../../storage/records.ts";
import type { Table } from "../command.ts";
import { name } from "../fields.ts";
import { listOf, toList } from "../list.ts";
import { defineOperation } from "../operation.ts";
import { toUsageView, type UsageView, usageView } from "./view.ts";

export const usageTable: Table<UsageView> = {
  headings: ["ACCOUNT", "PLAN", "USED", "LIMIT/H", "REMAINING", "RESETS"],
  toRow: ({ account, plan, used, limit, remaining, resetAt }) => [
    account,
    plan,
    String(used),
    String(limit),
    String(remaining),
    resetAt ?? "-",
  ],
};

export const showUsage = defineOperation({
  name: "usage",
  summary: "Show each account's use of its quota in this hour.",
  kind: "reads",
  callers: "owner",
  input: z.strictObject({ account: name.optional() }),
  output: listOf(usageView),
  byHand: { command: "usage" },
  async run({ accounts, limits }, { account }) {
    const toUsage = async (record: AccountRecord): Promise<UsageView> =>
      toUsageView(record, await limits.peek(record));
    if (account !== undefined) return { items: [await toUsage(await accounts.get(account))] };
    const { records, damaged } = await accounts.list();
    return toList({ records: await Promise.all(records.map(toUsage)), damaged }, (view) => view);
  },
});
