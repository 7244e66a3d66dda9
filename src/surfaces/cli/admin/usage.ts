import type { UsageView } from "../../../services/admin.ts";
import { defineLeaf, jsonArg } from "../command.ts";
import { usageShape, writeList } from "./answer.ts";
import { callAdmin } from "./connect.ts";

export const usageCommand = defineLeaf({
  description: "Show what each account has used of its quota in this hour.",
  args: { account: { type: "string", valueHint: "NAME", description: "Only one account" }, ...jsonArg },
  async run({ account, ...args }, host) {
    const fields = account === undefined ? {} : { account };
    const view = await callAdmin<{ items: UsageView[] }>("usage", fields, args, host);
    await writeList(view, usageShape, args.json, host);
  },
});
