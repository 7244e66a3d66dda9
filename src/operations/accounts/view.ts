import { z } from "zod";
import { limitOf } from "../../services/access/plans.ts";
import { type AccountRecord, plans } from "../../storage/records.ts";

/** An account as shown to the operator; `limit` is the effective quota, its own or that of its plan. */
export const accountView = z.strictObject({
  name: z.string(),
  plan: z.enum(plans),
  limit: z.int(),
  disabled: z.boolean(),
  createdAt: z.string(),
});

export type AccountView = z.output<typeof accountView>;

export const toAccountView = (account: AccountRecord): AccountView => ({
  name: account.name,
  plan: account.plan,
  limit: limitOf(account),
  disabled: account.disabled,
  createdAt: account.createdAt,
});
