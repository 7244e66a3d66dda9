import { z } from "zod";
import { name } from "../fields.ts";
import { listOf, toList } from "../list.ts";
import { defineOperation } from "../operation.ts";
import { accountView, toAccountView } from "./view.ts";

export const pageAccounts = defineOperation({
  name: "accounts.page",
  summary: "List some accounts by name, and count all.",
  kind: "reads",
  callers: "operator",
  input: z.strictObject({ after: name.optional(), first: z.int().min(0).max(1000) }),
  output: listOf(accountView).extend({
    /** The name after which the next page begins; null if this is the last one. */
    next: z.string().nullable(),
    total: z.int(),
  }),
  byHand: { field: "accountsConnection" },
  async run({ accounts }, { after, first }) {
    const { next = null, total, ...page } = await accounts.page(after, first);
    return { ...toList(page, toAccountView), next, total };
  },
});
