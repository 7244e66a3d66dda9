import { z } from "zod";
import type { Quota } from "../../catalog/principal.ts";
import { parseSince, toInstant } from "../../catalog/duration.ts";
import { defined } from "../../lib/defined.ts";
import { nobody } from "../../services/usage/recorder.ts";
import {
  reportUsageBy,
  type UsageGroup,
  usageGroups,
  type UsageReport,
} from "../../services/usage/report.ts";
import { type AccountRecord, plans } from "../../storage/records.ts";
import type { Context } from "../context.ts";
import type { usageQuery } from "../fields.ts";

/** The use of an account's quota in this hour. */
export const usageView = z.strictObject({
  account: z.string(),
  plan: z.enum(plans),
  used: z.int(),
  limit: z.int(),
  remaining: z.int(),
  /** Null if nothing was counted in this hour. */
  resetAt: z.string().nullable(),
});

export type UsageView = z.output<typeof usageView>;

export const toUsageView = (
  { name: account, plan }: AccountRecord,
  { used, limit, remaining, resetAt }: Quota,
): UsageView => ({
  account,
  plan,
  used,
  limit,
  remaining,
  resetAt: used === 0 ? null : toInstant(resetAt),
});

export const reportView = z.strictObject({
  since: z.string(),
  until: z.string(),
  by: z.enum(usageGroups),
  items: z.array(
    z.strictObject({
      account: z.string().optional(),
      key: z.string().optional(),
      tool: z.string().optional(),
      hour: z.string().optional(),
      day: z.string().optional(),
      requests: z.int(),
      ok: z.int(),
      refused: z.int(),
      failed: z.int(),
      limited: z.int(),
      inputBytes: z.int(),
      outputBytes: z.int(),
      milliseconds: z.int(),
      /** If the caller asks for the requests of each hour. */
      hours: z.array(z.int()).optional(),
    }),
  ),
  hours: z.array(z.int()),
});

/** Reads the usage once, for a report of each grouping. */
export async function reportsOf(
  { accounts, store, runtime, flushUsage }: Context,
  groups: readonly UsageGroup[],
  {
    since = "24h",
    until,
    ...whose
  }: z.output<z.ZodObject<typeof usageQuery>> & { hourly?: boolean | undefined },
): Promise<UsageReport[]> {
  const from = parseSince(since, runtime.now(), "/since");
  // The end is exclusive if it is given.
  const last = until === undefined ? runtime.now() : parseSince(until, runtime.now(), "/until") - 1;
  await flushUsage?.();
  const query = { ...defined(whose), since: from, until: last };
  const reports = await reportUsageBy(groups, await store.usage(), query);
  const { account } = whose;
  // A deleted account has a history; a mistyped name has none.
  const unused = reports[0]?.items.every(({ requests, limited }) => requests + limited === 0) === true;
  if (account !== undefined && account !== nobody.account && unused) await accounts.get(account);
  return reports;
}
