import { type DataOf, gql, type VariablesOf } from "../graph.ts";

export const reportQuery = gql(`
  query Usage($since: String!, $until: String, $key: ID, $by: UsageGroup!) {
    times: usage(since: $since, until: $until, key: $key, by: $by) {
      items { hour day requests ok refused failed limited }
    }
    byKey: usage(since: $since, until: $until, key: $key, by: KEY) {
      items { key requests ok refused failed limited }
    }
    byTool: usage(since: $since, until: $until, key: $key, by: TOOL) {
      items { tool requests ok refused failed limited }
    }
  }
`);

export type UsageReport = DataOf<"Usage">;
type TimeCounts = NonNullable<UsageReport["times"]>["items"][number];
/** Requests by outcome; those beyond the quota are not in `requests`. */
export type Counts = Omit<TimeCounts, "hour" | "day">;

/** The user's selection of usage. */
export type Selection = {
  period: Period;
  /** `2026-11-21`, for the period `day`. */
  day: string;
  /** The id of a key; "" for all. */
  key: string;
};

type Period = "24h" | "day" | "7d" | "90d";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A selected period in epoch milliseconds, and its steps. Hours and days are those of UTC, as the server counts them. */
export interface Span {
  begin: number;
  end: number;
  stepMs: number;
}

export function toSpan({ period, day }: Selection, now: number): Span {
  const today = Math.floor(now / dayMs) * dayMs;
  if (period === "24h") {
    const hour = Math.floor(now / hourMs) * hourMs;
    return { begin: hour - dayMs, end: now, stepMs: hourMs };
  }
  if (period === "day") {
    const begin = Date.parse(`${day}T00:00:00Z`);
    return { begin, end: Math.min(begin + dayMs, now), stepMs: hourMs };
  }
  return { begin: today - (period === "7d" ? 6 : 89) * dayMs, end: now, stepMs: dayMs };
}

/** Returns the variables of the query. */
export const toVariables = (
  { begin, end, stepMs }: Span,
  key: string,
  now: number,
): VariablesOf<"Usage"> => ({
  since: toInstant(begin),
  // The server's clock may be behind.
  ...(end < now && { until: toInstant(end) }),
  ...(key !== "" && { key }),
  by: stepMs === hourMs ? "HOUR" : "DAY",
});

/** Returns an item for each step: the server has none for times before the account existed. */
export function fill(
  items: readonly TimeCounts[],
  { begin, end, stepMs }: Span,
): (Counts & { at: string })[] {
  const known = new Map(items.map((item) => [Date.parse(item.hour ?? item.day ?? ""), item]));
  const filled: (Counts & { at: string })[] = [];
  for (let time = begin; time < end; time += stepMs) {
    const { requests = 0, ok = 0, refused = 0, failed = 0, limited = 0 } = known.get(time) ?? {};
    filled.push({ at: toInstant(time), requests, ok, refused, failed, limited });
  }
  return filled;
}

/** Returns the first and the last day that a user can choose, as a date field writes them. */
export const daysOf = (now: number): { first: string; last: string } => ({
  first: toInstant(now - 89 * dayMs).slice(0, 10),
  last: toInstant(now).slice(0, 10),
});

const toInstant = (ms: number): string => new Date(ms).toISOString();
