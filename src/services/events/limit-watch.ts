import { distinctName } from "../access/buckets.ts";
import type { Quota } from "../../catalog/principal.ts";
import type { Owned } from "../../storage/records.ts";
import { toInstant } from "../../catalog/duration.ts";
import type { Publisher } from "./publish.ts";

/** Publishes `limit.warning` and `limit.reached` once a window for each account. */
export interface LimitWatch {
  note(owner: Owner, quota: Quota, allowed: boolean): void;
}

/** The account that a quota belongs to. */
export type Owner = Owned & { account: string };

interface Window {
  resetAt: number;
  warning: boolean;
  reached: boolean;
}

/** Windows that end within this time are the same window; Redis returns the rest to about a millisecond. */
const slackMs = 60_000;
/** Accounts to remember. If there are more, `once` prevents duplicates. */
const capacity = 50_000;

export function createLimitWatch({ publish }: Publisher): LimitWatch {
  const windows = new Map<string, Window>();

  function windowOf(account: string, resetAt: number): Window {
    const known = windows.get(account);
    if (known !== undefined && Math.abs(known.resetAt - resetAt) < slackMs) return known;
    windows.delete(account);
    if (windows.size >= capacity) windows.delete(windows.keys().next().value as string);
    const fresh = { resetAt, warning: false, reached: false };
    windows.set(account, fresh);
    return fresh;
  }

  function announce(type: "limit.warning" | "limit.reached", owner: Owner, quota: Quota): void {
    const { limit, used, resetAt } = quota;
    void publish(
      type,
      owner.account,
      { limit, used, resetAt: toInstant(resetAt) },
      // Every node may notice it first.
      { once: { name: `${type}:${distinctName(owner)}:${Math.round(resetAt / slackMs)}`, until: resetAt } },
    );
  }

  return {
    note(owner, quota, allowed) {
      const window = windowOf(distinctName(owner), quota.resetAt);
      if (!window.warning && isWarning(quota)) {
        window.warning = true;
        announce("limit.warning", owner, quota);
      }
      if (!window.reached && !allowed) {
        window.reached = true;
        announce("limit.reached", owner, quota);
      }
    },
  };
}

const isWarning = ({ used, limit }: Quota): boolean => used * 5 >= limit * 4;
