import { z } from "zod";
import { name } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { accountView, toAccountView } from "./view.ts";

export const disableAccount = defineOperation({
  name: "accounts.disable",
  summary: "Disable an account: its keys are refused until it is enabled.",
  kind: "closes",
  callers: "operator",
  subject: { kind: "account", field: "name" },
  events: ["account.updated"],
  input: z.strictObject({ name }),
  output: accountView,
  command: {},
  graphql: {
    name: "disableAccount",
    text: "For the operator. Keys and sessions of the account are refused until it is enabled again.",
    returns: "Account",
  },
  run: async ({ accounts }, args) => toAccountView(await accounts.disable(args.name)),
  async closeInMemory({ accounts, store }, args) {
    const record = await accounts.get(args.name);
    if (record.disabled) return undefined;
    store.accounts.overrule(record.name, { ...record, disabled: true });
    return `The account ${record.name}`;
  },
});
