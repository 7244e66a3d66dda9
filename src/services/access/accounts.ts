import type { ToolError } from "../../catalog/errors.ts";
import type { Plan } from "../../catalog/principal.ts";
import { toInstant } from "../../catalog/duration.ts";
import { counted } from "../../lib/counted.ts";
import type { Keys } from "./keys.ts";
import { hourlyLimits } from "./plans.ts";
import { refused } from "../../catalog/refused.ts";
import { requireAccount } from "./require-account.ts";
import type { Lease } from "../../storage/lease.ts";
import { isAccountName, recordVersion } from "../../storage/records.ts";
import type { AccountRecord } from "../../storage/records.ts";
import type { Listing, Page, Store } from "../../storage/storage.ts";
import type { Runtime } from "../../runtime.ts";

export interface Accounts {
  create(options: { name: string; plan: Plan; limit?: number }): Promise<AccountRecord>;
  /** Sorted by name. */
  list(): Promise<Listing<AccountRecord>>;
  /** Returns at most `limit` accounts by name, after a name that need not be an account's, and the number of all. */
  page(after: string | undefined, limit: number): Promise<Page<AccountRecord> & { total: number }>;
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
  store: Pick<Store, "accounts" | "hold">;
  keys: Keys;
  runtime: Runtime;
  /** Called before an account is created, to remove data left by an earlier account of that name. */
  onBegin?: (lease: Lease) => Promise<void>;
  /** Called before an account is deleted, to remove data that nobody can use any more. */
  onEnd?: (lease: Lease) => Promise<void>;
}

/** Throws ToolErrors: `not_found` for an account that does not exist, otherwise `invalid_input`. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { keys, runtime, onBegin, onEnd } = deps;
  const { accounts, hold } = deps.store;

  const get = (name: string) => requireAccount(accounts, name);

  async function change(
    name: string,
    alter: (account: AccountRecord) => AccountRecord,
    lease?: Lease,
  ): Promise<AccountRecord> {
    await get(name);
    // Removed in between, it is reported as missing.
    return (await accounts.change(name, alter, lease))?.after ?? get(name);
  }

  /**
   * Revokes keys before the account is changed: a crash in between leaves an account without keys, never keys without
   * an account.
   */
  async function releaseKeys(lease: Lease, revokeKeys: boolean, what: string, reason: string): Promise<void> {
    const name = lease.account;
    const live = await keys.live(name);
    if (live.length === 0) return;
    if (!revokeKeys) {
      throw refused(
        "/revokeKeys",
        `The account ${name} has ${counted(live.length, "live key")}, and ${what}. Add --revoke-keys (revokeKeys: true) to revoke them.`,
      );
    }
    await keys.revokeAll(name, { reason, lease });
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
      const taken = (): ToolError => refused("/name", `The account ${name} exists already.`);
      if ((await accounts.get(name)) !== undefined) throw taken();
      return hold(name, async (lease) => {
        if ((await accounts.get(name)) !== undefined) throw taken();
        await onBegin?.(lease);
        const account: AccountRecord = {
          v: recordVersion,
          name,
          incarnation: Buffer.from(runtime.random(8)).toString("hex"),
          plan,
          ...(limit !== undefined && { limit }),
          disabled: false,
          createdAt: toInstant(runtime.now()),
        };
        if (await accounts.add(name, account, lease)) return account;
        throw taken();
      });
    },
    list: () => accounts.all(),
    async page(after, limit) {
      const [page, total] = await Promise.all([accounts.page(after, limit), accounts.count()]);
      return { ...page, total };
    },
    get,
    async set(name, { plan, limit, revokeKeys = false }) {
      const account = await get(name);
      if (plan === undefined && limit === undefined)
        throw refused("", "Nothing to change: give a plan or a limit.");
      checkLimit(plan ?? account.plan, limit);
      const alter = ({ limit: before, ...rest }: AccountRecord): AccountRecord => {
        const wanted = plan ?? rest.plan;
        checkLimit(wanted, limit);
        const after = wanted === "team" ? (limit ?? before) : undefined;
        return { ...rest, plan: wanted, ...(after !== undefined && { limit: after }) };
      };
      if (plan !== "free") return change(name, alter);
      return hold(name, async (lease) => {
        if ((await get(name)).plan !== "free")
          await releaseKeys(lease, revokeKeys, "the free plan has no keys", "account downgraded to free");
        return change(name, alter, lease);
      });
    },
    disable: (name) => change(name, (account) => ({ ...account, disabled: true })),
    enable: (name) => change(name, (account) => ({ ...account, disabled: false })),
    async remove(name, { revokeKeys = false } = {}) {
      await get(name);
      return hold(name, async (lease) => {
        const account = await get(name);
        await releaseKeys(lease, revokeKeys, "they would stop working", "account deleted");
        await onEnd?.(lease);
        await accounts.remove(name, lease);
        return account;
      });
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
