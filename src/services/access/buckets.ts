import type { Principal } from "../../catalog/principal.ts";
import { bucketOf } from "./client-ip.ts";

// Names of the buckets in which the use of limits and shares is counted. Prefixes keep the kinds apart: no account can
// take the name of an address. Counters in the store have these names too.

export const accountBucket = (account: string): string => `account:${account}`;
export const addressBucket = (ip: string): string => `ip:${bucketOf(ip)}`;
const sessionBucket = (id: string): string => `session:${id.slice("ses_".length)}`;

/**
 * The bucket in which a caller holds memory, connections and turns of the worker pool: the account, so that more keys
 * or sessions do not mean a larger share.
 * @param ip The address of a caller whose principal is unknown or has none.
 */
export function callerBucket(principal: Principal | undefined, ip = ""): string {
  if (principal?.account !== undefined) return accountBucket(principal.account);
  if (principal?.sessionId !== undefined) return sessionBucket(principal.sessionId);
  return addressBucket(principal?.ip ?? ip);
}

/**
 * The bucket in which a caller's requests are counted. A session has one of its own, so that a spent quota keeps nobody
 * from revoking the key that spent it; a session on the free plan counts as its address, as any anonymous caller.
 */
export function quotaBucket(principal: Principal): string {
  const { account, sessionId, plan } = principal;
  if (sessionId !== undefined && plan !== "free") return sessionBucket(sessionId);
  if (account === undefined || sessionId !== undefined) return addressBucket(principal.ip ?? "");
  return accountBucket(account);
}
