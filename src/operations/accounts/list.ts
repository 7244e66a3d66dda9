import { z } from "zod";
import { listOf, toList } from "../list.ts";
import { defineOperation } from "../operation.ts";
import { accountView, toAccountView } from "./view.ts";

export const listAccounts = defineOperation({
  name: "accounts.list",
  summary: "List the accounts by name.",
  kind: "reads",
  callers: "operator",
  input: z.strictObject({}),
  output: listOf(accountView),
  command: {
    table: {
      headings: ["ACCOUNT", "PLAN", "LIMIT/H", "STATE", "CREATED"],
      toRow: ({ name, plan, limit, disabled, createdAt }) => [
        name,
        plan,
        String(limit),
        disabled ? "disabled" : "enabled",
        createdAt,
      ],
    },
  },
  graphql: { name: "accounts", text: "For the operator: all accounts, by name.", returns: "[Account!]" },
  run: async ({ accounts }) => toList(await accounts.list(), toAccountView),
});
