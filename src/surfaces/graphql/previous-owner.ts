import type { GraphqlContext } from "./context.ts";
import { lookUpOnce } from "./look-up.ts";

/**
 * The name of a deleted account may be reused by another owner, while its keys, deliveries and usage are still stored
 * under that name. The operator may see them; the new account must not.
 */

/** Returns when the caller's account was created, in epoch milliseconds; -Infinity for the operator. @throws ToolError not_found. */
export async function accountCreatedAt(context: GraphqlContext): Promise<number> {
  const { account: name, operator } = context.principal;
  if (operator === true || name === undefined) return -Infinity;
  const account = await lookUpOnce(context, ["accounts.show", name], async () => {
    const admin = await context.deps.admin();
    return admin.call("accounts.show", { name });
  });
  return Date.parse(account.createdAt);
}

/** A key or a delivery: the time a key ended, or the time a delivery (`event`) was added. */
export interface Dated {
  createdAt: string;
  event?: string | undefined;
  revokedAt?: string | null | undefined;
  expiresAt?: string | null | undefined;
}

/**
 * Reports whether an item dates from before the account was created. Keys are compared by their end: a previous owner's keys were
 * all revoked, so a live key is never hidden, even if the clock was wrong. Deliveries may end long after their endpoint is
 * gone, so they are compared by their start.
 */
export function isOfPreviousOwner(
  { createdAt, event, revokedAt, expiresAt }: Dated,
  accountCreated: number,
): boolean {
  const last = event === undefined ? (revokedAt ?? expiresAt) : createdAt;
  return typeof last === "string" && Date.parse(last) < accountCreated;
}
