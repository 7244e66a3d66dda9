import { toInstant } from "../../catalog/duration.ts";
import { toStoreError } from "../../storage/errors.ts";
import { toUnavailable } from "../../storage/unavailable.ts";
import {
  addCounts,
  hourMs,
  keptMs,
  noCounts,
  type UsageCounts,
  type UsageRow,
  type UsageStore,
} from "../../storage/usage/usage-store.ts";

export const usageGroups = ["account", "key", "tool", "hour", "day"] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** One line of a report. The first five members depend on the grouping. */
export interface UsageItem {
  account?: string;
  key?: string;
  tool?: string;
  /** The beginning of the hour, RFC 3339. */
  hour?: string;
  /** The beginning of the day in UTC, RFC 3339. */
  day?: string;
  /** ok, refused and failed together. */
  requests: number;
  ok: number;
  refused: number;
  failed: number;
  /** Requests beyond the quota, which `requests` does not include. */
  limited: number;
  inputBytes: number;
  outputBytes: number;
  /** Run time of all requests, in milliseconds. */
  milliseconds: number;
  /** Requests of each hour, if the query asks for them. */
  hours?: number[];
}

export interface UsageReport {
  /** RFC 3339; a whole hour. */
  since: string;
  until: string;
  by: UsageGroup;
  /** Most used first; hours and days in ascending order. */
  items: UsageItem[];
  /** Requests of each hour from `since` on, for a chart. */
  hours: number[];
}

export interface UsageQuery {
  /** Epoch milliseconds. The hours that contain `since` and `until` are included. */
  since: number;
  until: number;
  account?: string;
  key?: string;
  /** Whether each item has the requests of each hour. */
  hourly?: boolean;
}

/** Group by time. */
const spans: Partial<Record<UsageGroup, number>> = { hour: hourMs, day: 24 * hourMs };

/** Groups of reports that need neither accounts nor keys. */
const ofTotals: ReadonlySet<UsageGroup> = new Set(["tool", "hour", "day"]);

/** Returns a report for each grouping, of one reading of the store. @throws ToolError storage_unavailable. */
export async function reportUsageBy(
  groups: readonly UsageGroup[],
  store: UsageStore,
  query: UsageQuery,
): Promise<UsageReport[]> {
  const { account, key, hourly = false } = query;
  const until = Math.ceil((query.until + 1) / hourMs) * hourMs;
  // Older hours are deleted.
  const from = Math.max(Math.floor(query.since / hourMs) * hourMs, until - keptMs);
  const hours = Array.from({ length: (until - from) / hourMs }, () => 0);
  const sums = groups.map((by) => createSums(by, from, until, hourly));
  try {
    const areTotals = account === undefined && key === undefined && groups.every((by) => ofTotals.has(by));
    const rows = (areTotals && store.totals?.(from, until)) || store.read(from, until, account);
    for await (const row of rows) {
      if (account !== undefined && row.account !== account) continue;
      if (key !== undefined && row.key !== key) continue;
      for (const each of sums) each.add(row);
      const index = (row.hour - from) / hourMs;
      hours[index] = (hours[index] ?? 0) + requestsIn(row);
    }
  } catch (error) {
    throw toUnavailable(toStoreError("read", "The usage", error));
  }
  const range = { since: toInstant(from), until: toInstant(query.until) };
  return sums.map(({ by, items }) => ({ ...range, by, items: items(), hours }));
}

/** Adds up rows by one grouping. */
interface Sums {
  readonly by: UsageGroup;
  add(row: UsageRow & { hour: number }): void;
  items(): UsageItem[];
}

function createSums(by: UsageGroup, from: number, until: number, hourly: boolean): Sums {
  const groups = new Map<string, Group>();
  const span = spans[by];
  // Hours and days without use have an item too.
  for (let time = floor(from, span); span !== undefined && time < until; time += span)
    groups.set(String(time), { account: "", key: "", tool: "", time, counts: noCounts() });
  return {
    by,
    add(row) {
      const time = floor(row.hour, span);
      const id = idOf(row, time, by);
      let group = groups.get(id);
      if (group === undefined) groups.set(id, (group = { ...row, time, counts: noCounts() }));
      addCounts(group.counts, row);
      if (!hourly) return;
      const hours = (group.hours ??= Array.from({ length: (until - from) / hourMs }, () => 0));
      const index = (row.hour - from) / hourMs;
      hours[index] = (hours[index] ?? 0) + requestsIn(row);
    },
    items() {
      const items = [...groups.values()].map((group) => toItem(group, by));
      if (span === undefined) items.sort((a, b) => b.requests - a.requests || b.limited - a.limited);
      return items;
    },
  };
}

interface Group extends Pick<UsageRow, "account" | "key" | "tool"> {
  /** The beginning of the hour or day; the hour of a row where the report is grouped by something else. */
  time: number;
  counts: UsageCounts;
  hours?: number[];
}

/** Days begin at midnight in UTC. */
const floor = (time: number, span = hourMs): number => Math.floor(time / span) * span;

function idOf(row: UsageRow, time: number, by: UsageGroup): string {
  if (by === "hour" || by === "day") return String(time);
  return by === "key" ? `${row.account}/${row.key}` : row[by];
}

function toItem({ account, key, tool, time, counts, hours }: Group, by: UsageGroup): UsageItem {
  const { micros, ...shown } = counts;
  return {
    ...(by === "account" && { account }),
    ...(by === "key" && { key, account }),
    ...(by === "tool" && { tool }),
    ...(by === "hour" && { hour: toInstant(time) }),
    ...(by === "day" && { day: toInstant(time) }),
    requests: requestsIn(counts),
    ...shown,
    milliseconds: Math.round(micros / 1000),
    ...(hours !== undefined && { hours }),
  };
}

const requestsIn = ({ ok, refused, failed }: UsageCounts): number => ok + refused + failed;
