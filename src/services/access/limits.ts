import { ToolError } from "../../catalog/errors.ts";
import type { Principal, Quota } from "../../catalog/principal.ts";
import { accountBucket, quotaBucket } from "./buckets.ts";
import { belongingTo } from "./incarnation.ts";
import { hourlyLimits, limitOf } from "./plans.ts";
import type { AccountRecord } from "../../storage/records.ts";
import type { Count, Counted, Store } from "../../storage/storage.ts";
import type { Runtime } from "../../runtime.ts";

export interface Limits {
  /**
   * Counts `cost` requests if all of them fit into the quota, otherwise none. `quota` is absent for the operator at the
   * command line, who is not counted. Returns a promise only if the store has to be asked.
   */
  consume(principal: Principal, cost?: number): Admission | Promise<Admission>;
  /** Returns the current window of an account; `resetAt` is the current time if nothing is counted yet. */
  peek(account: AccountRecord): Promise<Quota>;
  reset(account: AccountRecord): Promise<void>;
}

export interface Admission {
  allowed: boolean;
  quota?: Quota;
}

/** Name and length of the one rate-limit policy, for the headers. */
export const policy = { name: "hour", seconds: 3_600 } as const;

/** Requests an hour for one session. */
export const sessionQuota = 1_000;

export function createLimits({ store, runtime }: { store: Store; runtime: Runtime }): Limits {
  const { accounts, counters } = store;

  /**
   * Counts while the account is being read, because each may be a round trip. Uses the cached limit or none, and
   * corrects the decision when the account arrives.
   */
  async function anticipate(
    id: string,
    cost: number,
    last: AccountRecord | undefined,
    reading: Promise<AccountRecord | undefined>,
  ): Promise<Admission> {
    const guess = last === undefined ? Infinity : limitOf(last);
    const [record, guessed] = await Promise.all([reading, counters.consume(id, cost, guess)]);
    const limit = limitFor(record);
    const count = guessed.allowed || limit <= guess ? guessed : await counters.consume(id, cost, limit);
    if (guessed.allowed && count.used > limit) {
      void counters.giveBack(id, cost);
      return { allowed: false, quota: toQuota({ ...count, used: count.used - cost }, limit) };
    }
    return toAdmission(count, limit);
  }

  return {
    consume(principal, cost = 1) {
      if (principal.kind === "local") return { allowed: true };
      const { account, sessionId, plan } = principal;
      const bucket = quotaBucket(principal);
      let { limit } = principal;
      if (sessionId !== undefined) limit = plan === "free" ? hourlyLimits.free : sessionQuota;
      else if (account === undefined) limit = hourlyLimits.free;
      else if (limit === undefined) {
        const last = accounts.remembered(account);
        const found = accounts.lookup(account);
        if (found instanceof Promise) return anticipate(bucket, cost, last, found);
        limit = limitFor(found);
      }
      const ceiling = limit;
      const counted = counters.consume(bucket, cost, ceiling);
      return counted instanceof Promise
        ? counted.then((count) => toAdmission(count, ceiling))
        : toAdmission(counted, ceiling);
    },
    async peek(account) {
      const count = await counters.peek(accountBucket(belongingTo(account)));
      return toQuota(count ?? { used: 0, resetAt: runtime.now() }, limitOf(account));
    },
    reset: (account) => counters.reset(accountBucket(belongingTo(account))),
  };
}

/** Creates the refusal of a call that stands for `requests` requests. */
export function quotaExceeded({ limit, remaining, resetAt }: Quota, now: number, requests = 1): ToolError {
  const retryAfter = Math.max(1, Math.ceil((resetAt - now) / 1_000));
  const message =
    requests === 1 || remaining === 0
      ? `The quota of ${limit} requests an hour is used up. Try again in ${retryAfter} seconds.`
      : `The call needs ${requests} more requests, but ${remaining} of the quota of ${limit} an hour are left. Try again in ${retryAfter} seconds.`;
  return new ToolError("quota_exceeded", message, { limit, retryAfter });
}

/** Returns the limit of an account; one that was deleted during the look-up has the free quota. */
const limitFor = (record: AccountRecord | undefined): number =>
  record === undefined ? hourlyLimits.free : limitOf(record);

const toAdmission = (count: Counted, limit: number): Admission => ({
  allowed: count.allowed,
  quota: toQuota(count, limit),
});

function toQuota({ used, resetAt }: Count, limit: number): Quota {
  return { limit, used, remaining: Math.max(0, limit - used), resetAt };
}
