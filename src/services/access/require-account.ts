import { ToolError } from "../../catalog/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import { isAccountName } from "../../storage/records.ts";
import type { AccountRecord } from "../../storage/records.ts";
import type { Collection } from "../../storage/storage.ts";

/** Reads an account. @throws ToolError not_found, with the nearest name. */
export async function requireAccount(
  accounts: Collection<AccountRecord>,
  name: string,
): Promise<AccountRecord> {
  const list = "penknife admin accounts list shows them all.";
  // Text that is not a valid name is not repeated: it may be a key on the wrong side of an option.
  if (!isAccountName(name)) throw new ToolError("not_found", `There is no such account. ${list}`);
  const account = await accounts.get(name);
  if (account !== undefined) return account;
  const near = nearest(name, await accounts.idsAfter(await beginningOf(accounts, name), maxNames));
  throw new ToolError(
    "not_found",
    `There is no account ${name}. ${near === undefined ? list : `Did you mean ${near}?`}`,
    near === undefined ? {} : { nearest: near },
  );
}

/** Reads an account that a session may begin in. @throws ToolError not_found; of `refusal` for one that is disabled. */
export async function requireEnabled(
  accounts: Collection<AccountRecord>,
  name: string,
  refusal: (name: string) => ToolError,
): Promise<AccountRecord> {
  const account = await requireAccount(accounts, name);
  if (account.disabled) throw refusal(account.name);
  return account;
}

/** Most names that a mistyped one is compared with. */
const maxNames = 1000;

/** Where there are many accounts, returns the beginning of the name: the names from there on are compared. */
const beginningOf = async (accounts: Collection<AccountRecord>, name: string): Promise<string | undefined> =>
  (await accounts.count()) > maxNames ? name.slice(0, Math.ceil(name.length / 2)) : undefined;
