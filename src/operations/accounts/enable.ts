import { z } from "zod";
import { name } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { accountView, toAccountView } from "./view.ts";

export const enableAccount = defineOperation({
  name: "accounts.enable",
  summary: "Enable a disabled account.",
  kind: "changes",
  callers: "operator",
  subject: { kind: "account", field: "name" },
  events: ["account.updated"],
  input: z.strictObject({ name }),
  output: accountView,
  command: {},
  graphql: { name: "enableAccount", text: "For the operator.", returns: "Account" },
  run: async ({ accounts }, args) => toAccountView(await accounts.enable(args.name)),
});
