import { gql } from "../graph.ts";

/** Requests by outcome; those beyond the quota are not in `requests`. */
export interface Counts {
  requests: number;
  ok: number;
  refused: number;
  failed: number;
  limited: number;
}

/** The requests of an hour or a day. */
export interface TimeCounts extends Counts {
  hour: string | null;
  day: string | null;
}

export interface UsageReport {
  times: { items: TimeCounts[] };
  byKey: { items: (Counts & { key: string })[] };
  byTool: { items: (Counts & { tool: string })[] };
}

export const reportQuery = gql`
  query Usage($since: String!, $until: String, $key: ID, $by: UsageGroup!) {
    times: usage(since: $since, until: $until, key: $key, by: $by) {
      items {
        hour
        day
        requests
        ok
        refused
        failed
        limited
      }
    }
    byKey: usage(since: $since, until: $until, key: $key, by: KEY) {
      items {
        key
        requests
        ok
        refused
        failed
        limited
      }
    }
    byTool: usage(since: $since, until: $until, key: $key, by: TOOL) {
      items {
        tool
        requests
        ok
        refused
        failed
        limited
      }
    }
  }
`;

/** What the user has chosen to see. */
export interface Selection {
  period: Period;
  /** `2026-11-21`, for the period `day`. */
  day: string;
  /** The id of a key; "" for all. */
  key: string;
}

export type Period = "24h" | "day" | "7d" | "90d";

export const periods: readonly (readonly [Period, string])[] = [
  ["24h", "The last 24 hours, by hour"],
  ["day", "One day, by hour"],
  ["7d", "7 days, by day"],
  ["90d", "90 days, by day"],
];

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
export const toVariables = ({ begin, end, stepMs }: Span, key: string, now: number): object => ({
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
