import type { Principal } from "../../catalog/principal.ts";
import type { Owned } from "../../storage/records.ts";
import { bucketOf } from "./client-ip.ts";

// Names of the buckets in which quotas and shares are counted. The prefixes keep accounts, addresses and sessions
// apart. Counters in the store have the same names.

type Owner = Owned & { account: string };

/** Distinguishes accounts that had one name after another: a new one inherits neither use nor refusals. */
export const distinctName = ({ account, incarnation }: Owner): string =>
  incarnation === undefined ? account : `${account}:${incarnation}`;

export const accountBucket = (owner: Owner): string => `account:${distinctName(owner)}`;
export const addressBucket = (ip: string): string => `ip:${bucketOf(ip)}`;
const sessionBucket = (id: string): string => `session:${id.slice("ses_".length)}`;

/**
 * Returns the bucket of a caller's share of memory, connections and workers: the account, so that more keys or sessions
 * do not mean a larger share.
 * @param ip The client address, used if the principal is unknown or has none.
 */
export function callerBucket(principal: Principal | undefined, ip = ""): string {
  const { account, incarnation } = principal ?? {};
  if (account !== undefined) return accountBucket({ account, ...(incarnation && { incarnation }) });
  if (principal?.sessionId !== undefined) return sessionBucket(principal.sessionId);
  return addressBucket(principal?.ip ?? ip);
}

/**
 * Returns the bucket of a caller's requests. A session has its own, so that a spent quota does not prevent revoking the
 * key that spent it; a session on the free plan shares the bucket of its address.
 */
export function quotaBucket(principal: Principal): string {
  const { account, incarnation, sessionId, plan } = principal;
  if (sessionId !== undefined && plan !== "free") return sessionBucket(sessionId);
  if (account === undefined || sessionId !== undefined) return addressBucket(principal.ip ?? "");
  return accountBucket({ account, ...(incarnation && { incarnation }) });
}
