import type { AccountView } from "../../services/admin/admin.ts";
import type { GraphqlContext } from "./context.ts";
import { lookUpOnce } from "./look-up.ts";

/**
 * A name that is free again may be given to somebody else, and keys, deliveries and usage of whoever had it before are
 * kept under it. They are the operator's to see, and not those of the new account.
 */

/** When the caller's account began, in epoch milliseconds; never for the operator. @throws ToolError not_found. */
export async function beginningOf(context: GraphqlContext): Promise<number> {
  const { account: name, operator } = context.principal;
  if (operator === true || name === undefined) return -Infinity;
  const account = await lookUpOnce(context, ["accounts.show", name], async () => {
    const admin = await context.deps.admin();
    return (await admin.call("accounts.show", { name })) as AccountView;
  });
  return Date.parse(account.createdAt);
}

/** What there is by an id: of a key when it ended, where it has, and of a delivery (`event`) when it was added. */
export interface Dated {
  createdAt: string;
  event?: string;
  revokedAt?: string | null;
  expiresAt?: string | null;
}

/**
 * Whether it is of before the account began. A key that works cannot be another's, whose keys were revoked: a clock that
 * was wrong for a while hides none. A delivery may end long after its endpoint is gone.
 */
export function isFormer({ createdAt, event, revokedAt, expiresAt }: Dated, beginning: number): boolean {
  const last = event === undefined ? (revokedAt ?? expiresAt) : createdAt;
  return typeof last === "string" && Date.parse(last) < beginning;
}
