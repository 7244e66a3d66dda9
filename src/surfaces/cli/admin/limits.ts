import type { UsageView } from "../../../services/admin/admin.ts";
import { defineGroup, defineLeaf, jsonArg } from "../command.ts";
import { writeOne } from "./answer.ts";
import { callAdmin } from "./connect.ts";

export const limitsCommand = defineGroup({
  description: "Reset an account's quota for this hour.",
  commands: { reset: () => reset },
  examples: ["penknife admin limits reset ci"],
});

const reset = defineLeaf({
  description: "Reset an account's use in this hour to zero.",
  args: { account: { type: "positional", required: true, description: "The account" }, ...jsonArg },
  async run(args, host) {
    const view = await callAdmin<UsageView>("limits.reset", { account: args.account }, args, host);
    await writeOne(view, args.json, host);
  },
});
