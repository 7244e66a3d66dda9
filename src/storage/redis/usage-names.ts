import { hourMs, toHourName } from "../usage/usage-store.ts";
import type { Tag } from "./client.ts";

export const dayMs = 24 * hourMs;

/** The beginning of a day in UTC, in epoch milliseconds. */
export const toDay = (time: number): number => Math.floor(time / dayMs) * dayMs;

/** The names of usage in Redis, and of the last uses of keys. In a cluster what stands in braces lies together. */
export interface UsageNames {
  /** A hash for an account and a day: see `usage.ts`. */
  ofAccount(account: string, day: number): string;
  /** A hash for a day: the sums of all accounts. */
  total(day: number): string;
  /** A sorted set for a day: the accounts that have a hash. */
  accounts(day: number): string;
  /** A hash for an hour, in which releases before this one kept the rows of all accounts. */
  ofHour(hour: number): string;
  /** The hash with the fields that are being moved from it. */
  moving(hour: number): string;
}

export function createUsageNames(tag: Tag, prefix: string): UsageNames {
  const dayName = (day: number): string => toHourName(day).slice(0, 10);
  const of = (hour: number): string => `${prefix}usage:${tag(toHourName(hour))}`;
  return {
    ofAccount: (account, day) => `${prefix}usage:of:${tag(account)}:${dayName(day)}`,
    total: (day) => `${prefix}usage:all:${tag(dayName(day))}`,
    accounts: (day) => `${prefix}usage:accounts:${tag(dayName(day))}`,
    ofHour: of,
    moving: (hour) => `${of(hour)}:moving`,
  };
}
