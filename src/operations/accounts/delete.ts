import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { name } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { revokeKeysOption } from "./options.ts";
import { accountView, toAccountView } from "./view.ts";

export const deleteAccount = defineOperation({
  name: "accounts.delete",
  summary: "Delete an account permanently.",
  kind: "closes",
  callers: "operator",
  subject: { kind: "account", field: "name" },
  events: ["account.updated", "key.revoked"],
  input: z.strictObject({ name, revokeKeys: z.boolean().optional() }),
  output: accountView,
  command: { options: { revokeKeys: revokeKeysOption } },
  graphql: {
    name: "deleteAccount",
    text: "For the operator. Returns the account as it was.",
    returns: "Account",
    args: {
      revokeKeys: "Revokes live keys; without this, an account with live keys is not deleted.",
    },
  },
  run: async ({ accounts }, { name: account, ...options }) =>
    toAccountView(await accounts.remove(account, defined(options))),
});
