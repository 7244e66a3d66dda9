import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { name, plan } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { limitOption, planOption } from "./options.ts";
import { accountView, toAccountView } from "./view.ts";

export const createAccount = defineOperation({
  name: "accounts.create",
  summary: "Create an account. Its name is its id and cannot be changed.",
  kind: "changes",
  callers: "operator",
  subject: { kind: "account", field: "name" },
  events: ["account.updated"],
  // The rules of a new name refuse a long one, and say what it may be.
  input: z.strictObject({ name: z.string().meta(name.meta() ?? {}), plan, limit: z.int().optional() }),
  output: accountView,
  command: {
    begins: true,
    options: {
      name: { text: "1 to 63 lower-case letters, digits and hyphens", positional: true },
      plan: planOption("The plan, which sets the hourly quota"),
      limit: limitOption,
    },
  },
  graphql: {
    name: "createAccount",
    text: "For the operator.",
    returns: "Account",
    input: {
      type: "CreateAccountInput",
      text: "A new account.",
      fields: {
        name: "1 to 63 lower-case letters, digits and hyphens; it cannot be changed.",
        plan: "The plan.",
        limit: "Requests an hour of a team account, at least 10,000.",
      },
    },
  },
  run: async ({ accounts }, args) => toAccountView(await accounts.create(defined(args))),
});
