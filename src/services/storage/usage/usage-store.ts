/** What was counted of one account, key and tool. All are whole numbers. */
export interface UsageCounts {
  ok: number;
  /** Refused for what the caller sent. */
  refused: number;
  /** A fault of ours, a deadline, an overload, or a caller who went away before the answer. */
  failed: number;
  /** Not run, because the quota was used up. */
  limited: number;
  inputBytes: number;
  outputBytes: number;
  /** Microseconds of running, waiting for a worker included. */
  micros: number;
}

export interface UsageRow extends UsageCounts {
  account: string;
  key: string;
  tool: string;
}

/** What was counted in a part of one hour. */
export interface UsageBatch {
  /** Added once, even where it is given again because no answer came. */
  id: string;
  /** Epoch milliseconds of the beginning of the hour. */
  hour: number;
  rows: readonly UsageRow[];
}

/** Use by the hour, kept for 90 days. */
export interface UsageStore {
  /** @throws StoreError; then a part of it may have been added, and the same batch is to be given again before any other. */
  add(batch: UsageBatch): Promise<void>;
  /** Rows of the hours that begin in `from ≤ hour < until`; one caller and tool may have several. @throws StoreError. */
  read(from: number, until: number): AsyncIterable<UsageRow & { hour: number }>;
}

export const hourMs = 3_600_000;
export const keptMs = 90 * 24 * hourMs;
export const metrics = [
  "ok",
  "refused",
  "failed",
  "limited",
  "inputBytes",
  "outputBytes",
  "micros",
] as const satisfies readonly (keyof UsageCounts)[];

export const noCounts = (): UsageCounts => ({
  ok: 0,
  refused: 0,
  failed: 0,
  limited: 0,
  inputBytes: 0,
  outputBytes: 0,
  micros: 0,
});

export function addCounts(to: UsageCounts, more: UsageCounts): void {
  for (const metric of metrics) to[metric] += more[metric];
}

/** Rows by who and what; names have no slash in them. */
export const rowId = ({ account, key, tool }: Pick<UsageRow, "account" | "key" | "tool">): string =>
  `${account}/${key}/${tool}`;

/** `2026-11-21T09`: the name of an hour, in UTC. */
export const toHourName = (hour: number): string => new Date(hour).toISOString().slice(0, 13);

/** NaN for what is no name of an hour. */
export const fromHourName = (name: string): number => Date.parse(`${name}:00:00.000Z`);
