import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { name, plan } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { limitOption, planOption, revokeKeysOption } from "./options.ts";
import { accountView, toAccountView } from "./view.ts";

export const setAccount = defineOperation({
  name: "accounts.set",
  summary: "Change the plan or limit of an account, at once on a running server.",
  kind: "changes",
  callers: "operator",
  subject: { kind: "account", field: "name" },
  events: ["account.updated", "key.revoked"],
  input: z.strictObject({
    name,
    plan: plan.optional(),
    limit: z.int().optional(),
    revokeKeys: z.boolean().optional(),
  }),
  output: accountView,
  command: {
    options: {
      plan: planOption("The new plan"),
      limit: limitOption,
      revokeKeys: revokeKeysOption,
    },
  },
  graphql: {
    name: "updateAccount",
    text: "For the operator. Omitted fields stay unchanged; a plan other than TEAM removes the limit.",
    returns: "Account",
    input: {
      type: "UpdateAccountInput",
      text: "The changes.",
      fields: {
        plan: "The new plan.",
        limit: "Requests an hour of a team account, at least 10,000.",
        revokeKeys: "Allows a change to FREE, which has no keys, to revoke the existing ones.",
      },
    },
  },
  run: async ({ accounts }, { name: account, ...changes }) =>
    toAccountView(await accounts.set(account, defined(changes))),
});
