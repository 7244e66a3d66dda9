import { z } from "zod";
import { name } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { accountView, toAccountView } from "./view.ts";

export const showAccount = defineOperation({
  name: "accounts.show",
  summary: "Show an account.",
  kind: "reads",
  callers: "owner",
  subject: { kind: "account", field: "name" },
  input: z.strictObject({ name }),
  output: accountView,
  command: {},
  graphql: {
    name: "account",
    text: "The caller's account; the operator names one.",
    returns: "Account",
  },
  run: async ({ accounts }, args) => toAccountView(await accounts.get(args.name)),
});
