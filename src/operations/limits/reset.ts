import { z } from "zod";
import { name } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { toUsageView, usageView } from "../usage/view.ts";

export const resetLimits = defineOperation({
  name: "limits.reset",
  summary: "Reset an account's use in this hour to zero.",
  kind: "changes",
  callers: "operator",
  subject: { kind: "quota", field: "account" },
  input: z.strictObject({ account: name }),
  output: usageView,
  command: {},
  byHand: { field: "resetLimits" },
  async run({ accounts, limits }, { account }) {
    const record = await accounts.get(account);
    await limits.reset(record);
    return toUsageView(record, await limits.peek(record));
  },
});
