import { ToolError } from "../../catalog/errors.ts";
import type { AccountRecord, Owned } from "../../storage/records.ts";
import type { Collection } from "../../storage/storage.ts";
import { requireAccount } from "./require-account.ts";

/** The fields by which a record belongs to this account and not to another one of its name. */
export const belongingTo = ({ name, incarnation }: AccountRecord): Owned & { account: string } => ({
  account: name,
  ...(incarnation !== undefined && { incarnation }),
});

/** Reports whether something belongs to this account, rather than to an earlier or later one of its name. */
export const isOwnedBy = (owned: Owned, account: AccountRecord | undefined): boolean =>
  account !== undefined && owned.account === account.name && owned.incarnation === account.incarnation;

/** Reports whether a caller may see something of its account's name: nothing of an earlier or later account that has it. */
export const isSeenBy = (owned: Owned, caller: Owned | undefined): boolean =>
  caller?.account === undefined ||
  caller.account !== owned.account ||
  caller.incarnation === owned.incarnation;

/** Returns a record that was requested by its id. @throws ToolError not_found if the caller may not see it. */
export function requireSeen<T extends Owned & { id: string }>(record: T, caller: Owned | undefined): T {
  if (isSeenBy(record, caller)) return record;
  throw new ToolError("not_found", `There is no ${record.id}.`);
}

/**
 * Reads the account of a caller, or of something that belongs to it. @throws ToolError not_found; unknown_key if the name was
 * given to another account since the caller was authenticated.
 */
export async function requireOwner(
  accounts: Collection<AccountRecord>,
  account: string,
  caller?: Owned,
): Promise<AccountRecord> {
  const found = await requireAccount(accounts, account);
  if (caller?.account !== account || isOwnedBy(caller, found)) return found;
  throw new ToolError("unknown_key", "The account of this credential no longer exists.");
}

/**
 * Returns the account of a record that `lookup` has returned: the cached one, unless the record belongs to another of its name
 * and the cache may be older than the record. Returns undefined if the account of the record no longer exists.
 * @param readAt When the record was read, by the clock of the cache.
 */
export function lookUpOwner(
  accounts: Collection<AccountRecord>,
  owned: Owned & { account: string },
  readAt: number,
): AccountRecord | undefined | Promise<AccountRecord | undefined> {
  const found = accounts.lookup(owned.account);
  if (found instanceof Promise) return found.then((later) => examineOwner(accounts, owned, readAt, later));
  // The usual case, in which a request makes no function.
  return isOwnedBy(owned, found) ? found : examineOwner(accounts, owned, readAt, found);
}

function examineOwner(
  accounts: Collection<AccountRecord>,
  owned: Owned & { account: string },
  readAt: number,
  found: AccountRecord | undefined,
): AccountRecord | undefined | Promise<AccountRecord | undefined> {
  const { account } = owned;
  if (isOwnedBy(owned, found)) return found;
  if (accounts.readAt(account) > readAt) return undefined;
  return accounts.renew(account).then((renewed) => (isOwnedBy(owned, renewed) ? renewed : undefined));
}
