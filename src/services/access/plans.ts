import type { Plan } from "../../catalog/principal.ts";
import type { AccountRecord } from "../storage/records.ts";

/** Requests in an hour. A team's is a floor: an account may have more, never less. */
export const hourlyLimits: Record<Plan, number> = { free: 100, pro: 1_000, team: 10_000 };

/** The account's quota in requests an hour. */
export function limitOf(account: Pick<AccountRecord, "plan" | "limit">): number {
  return account.plan === "team"
    ? Math.max(hourlyLimits.team, account.limit ?? 0)
    : hourlyLimits[account.plan];
}
