import type { Plan } from "../../catalog/principal.ts";
import { toInstant } from "../../catalog/duration.ts";
import type { Keys } from "./keys.ts";
import { hourlyLimits } from "./plans.ts";
import { refused } from "../../catalog/refused.ts";
import { requireAccount } from "./require-account.ts";
import { isAccountName, recordVersion } from "../storage/records.ts";
import type { AccountRecord } from "../storage/records.ts";
import type { Listing, Store } from "../storage/storage.ts";

export interface Accounts {
  create(options: { name: string; plan: Plan; limit?: number }): Promise<AccountRecord>;
  /** Sorted by name. */
  list(): Promise<Listing<AccountRecord>>;
  get(name: string): Promise<AccountRecord>;
  /**
   * Changes plan or limit. A change of plan drops a custom limit unless a new one is given. Downgrading to free with
   * live keys requires `revokeKeys`.
   */
  set(name: string, changes: { plan?: Plan; limit?: number; revokeKeys?: boolean }): Promise<AccountRecord>;
  /** Refuses its keys until it is enabled again. */
  disable(name: string): Promise<AccountRecord>;
  enable(name: string): Promise<AccountRecord>;
  remove(name: string, options?: { revokeKeys?: boolean }): Promise<AccountRecord>;
}

export interface AccountsDeps {
  store: Pick<Store, "accounts">;
  keys: Keys;
  now: () => number;
  /** Called before an account is created, to remove data left by an earlier account of that name. */
  onBegin?: (name: string) => Promise<void>;
  /** Called before an account is deleted, to remove data that nobody can use any more. */
  onEnd?: (name: string) => Promise<void>;
}

/** Throws ToolErrors: `not_found` for an account that does not exist, otherwise `invalid_input`. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { keys, now, onBegin, onEnd } = deps;
  const { accounts } = deps.store;

  const get = (name: string) => requireAccount(accounts, name);

  async function save(account: AccountRecord): Promise<AccountRecord> {
    await accounts.set(account.name, account);
    return account;
  }

  /**
   * Revokes keys before the account is changed: a crash in between leaves an account without keys, never keys without
   * an account.
   */
  async function releaseKeys(name: string, revokeKeys: boolean, what: string, reason: string): Promise<void> {
    const live = await keys.live(name);
    if (live.length === 0) return;
    if (!revokeKeys) {
      const many = live.length === 1 ? "1 live key" : `${live.length} live keys`;
      throw refused(
        "/revokeKeys",
        `The account ${name} has ${many}, and ${what}. Add --revoke-keys (revokeKeys: true) to revoke them.`,
      );
    }
    await keys.revokeAll(name, { reason });
  }

  return {
    async create({ name, plan, limit }) {
      if (!isAccountName(name)) {
        throw refused(
          "/name",
          "The name of an account is 1 to 63 lower-case letters, digits and hyphens, and begins with a letter or digit.",
        );
      }
      checkLimit(plan, limit);
      if ((await accounts.get(name)) !== undefined)
        throw refused("/name", `The account ${name} exists already.`);
      await onBegin?.(name);
      return save({
        v: recordVersion,
        name,
        plan,
        ...(limit !== undefined && { limit }),
        disabled: false,
        createdAt: toInstant(now()),
      });
    },
    list: () => accounts.all(),
    get,
    async set(name, { plan, limit, revokeKeys = false }) {
      const account = await get(name);
      if (plan === undefined && limit === undefined)
        throw refused("", "Nothing to change: give a plan or a limit.");
      const wanted = plan ?? account.plan;
      checkLimit(wanted, limit);
      if (wanted === "free" && account.plan !== "free") {
        await releaseKeys(name, revokeKeys, "the free plan has no keys", "account downgraded to free");
      }
      const { limit: before, ...rest } = account;
      const after = wanted === "team" ? (limit ?? before) : undefined;
      return save({ ...rest, plan: wanted, ...(after !== undefined && { limit: after }) });
    },
    disable: async (name) => save({ ...(await get(name)), disabled: true }),
    enable: async (name) => save({ ...(await get(name)), disabled: false }),
    async remove(name, { revokeKeys = false } = {}) {
      const account = await get(name);
      await releaseKeys(name, revokeKeys, "they would stop working", "account deleted");
      await onEnd?.(name);
      await accounts.remove(name);
      return account;
    },
  };
}

function checkLimit(plan: Plan, limit: number | undefined): void {
  if (limit === undefined) return;
  if (plan !== "team") {
    throw refused(
      "/limit",
      `limit is for team accounts only; the ${plan} plan has ${hourlyLimits[plan]} requests an hour.`,
    );
  }
  if (!Number.isSafeInteger(limit) || limit < hourlyLimits.team) {
    throw refused(
      "/limit",
      `limit must be a whole number of at least ${hourlyLimits.team} requests an hour, got ${limit}.`,
    );
  }
}
