import type { Plan } from "../../catalog/principal.ts";
import type { AccountRecord } from "../../storage/records.ts";

/** Requests an hour by plan; a team account may have more. */
export const hourlyLimits: Record<Plan, number> = { free: 100, pro: 1_000, team: 10_000 };

/** Returns the quota of an account in requests an hour. */
export function limitOf(account: Pick<AccountRecord, "plan" | "limit">): number {
  return account.plan === "team"
    ? Math.max(hourlyLimits.team, account.limit ?? 0)
    : hourlyLimits[account.plan];
}
