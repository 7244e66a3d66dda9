import type { Quota } from "../../catalog/principal.ts";
import { toInstant } from "../../catalog/duration.ts";
import type { Publisher } from "./publish.ts";

/** Publishes `limit.warning` and `limit.reached` once a window for each account. */
export interface LimitWatch {
  note(account: string, quota: Quota, allowed: boolean): void;
}

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

  function announce(type: "limit.warning" | "limit.reached", account: string, quota: Quota): void {
    const { limit, used, resetAt } = quota;
    void publish(
      type,
      account,
      { limit, used, resetAt: toInstant(resetAt) },
      // Every node may notice it first.
      { once: { name: `${type}:${account}:${Math.round(resetAt / slackMs)}`, until: resetAt } },
    );
  }

  return {
    note(account, quota, allowed) {
      const window = windowOf(account, quota.resetAt);
      if (!window.warning && isWarning(quota)) {
        window.warning = true;
        announce("limit.warning", account, quota);
      }
      if (!window.reached && !allowed) {
        window.reached = true;
        announce("limit.reached", account, quota);
      }
    },
  };
}

const isWarning = ({ used, limit }: Quota): boolean => used * 5 >= limit * 4;
