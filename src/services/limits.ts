import { ToolError } from "../catalog/errors.ts";
import type { Principal, Quota } from "../catalog/principal.ts";
import { bucketOf } from "./client-ip.ts";
import { hourlyLimits, limitOf } from "./plans.ts";
import type { AccountRecord } from "./storage/records.ts";
import type { Count, Store } from "./storage/storage.ts";

export interface Limits {
  /**
   * Counts `cost` requests of this caller, unless they do not fit into what is left: those are refused and not
   * counted. `quota` is absent for the operator at the command line, who is never counted.
   */
  consume(principal: Principal, cost?: number): Promise<Admission>;
  /** The window of an account as it is now; `resetAt` is now when nothing was counted yet. */
  peek(account: AccountRecord): Promise<Quota>;
  reset(account: string): Promise<void>;
}

export interface Admission {
  allowed: boolean;
  quota?: Quota;
}

/** The name and the length of the one policy, for the headers. */
export const policy = { name: "hour", seconds: 3_600 } as const;

export function createLimits({ store, now }: { store: Store; now: () => number }): Limits {
  const { accounts, counters } = store;

  async function limitFor(name: string): Promise<number> {
    const account = accounts.lookup(name);
    const record = account instanceof Promise ? await account : account;
    return record === undefined ? hourlyLimits.free : limitOf(record);
  }

  return {
    async consume(principal, cost = 1) {
      if (principal.kind === "local") return { allowed: true };
      const [id, limit] =
        principal.account === undefined
          ? [`ip:${bucketOf(principal.ip ?? "")}`, hourlyLimits.free]
          : [accountId(principal.account), await limitFor(principal.account)];
      // A refusal is decided from memory: a flood of refused calls costs no round trip and no line in the
      // journal. It is compared with the limit of this moment, so a raised limit lets the next call through.
      const seen = counters.seen(id);
      if (seen !== undefined && seen.used + cost > limit)
        return { allowed: false, quota: toQuota(seen, limit) };
      if (cost > limit) return { allowed: false, quota: toQuota({ used: 0, resetAt: now() }, limit) };
      const count = await counters.consume(id, cost);
      return { allowed: count.used <= limit, quota: toQuota(count, limit) };
    },
    async peek(account) {
      const count = await counters.peek(accountId(account.name));
      return toQuota(count ?? { used: 0, resetAt: now() }, limitOf(account));
    },
    reset: (account) => counters.reset(accountId(account)),
  };
}

/** The refusal of a call that did not fit. */
export function quotaExceeded(quota: Quota, now: number): ToolError {
  const retryAfter = Math.max(1, Math.ceil((quota.resetAt - now) / 1_000));
  return new ToolError(
    "quota_exceeded",
    `The quota of ${quota.limit} requests an hour is used up. The next request is answered in ${retryAfter} seconds.`,
    { limit: quota.limit, retryAfter },
  );
}

function accountId(name: string): string {
  return `account:${name}`;
}

function toQuota({ used, resetAt }: Count, limit: number): Quota {
  return { limit, used, remaining: Math.max(0, limit - used), resetAt };
}
