/** Counts of one account, key and tool; whole numbers. */
export interface UsageCounts {
  ok: number;
  /** Refused because of the input. */
  refused: number;
  /** A fault of the server, a deadline, an overload, or a client that disconnected before the answer. */
  failed: number;
  /** Not run because the quota was used up. */
  limited: number;
  inputBytes: number;
  outputBytes: number;
  /** Microseconds of running, including the wait for a worker. */
  micros: number;
}

export interface UsageRow extends UsageCounts {
  account: string;
  key: string;
  tool: string;
}

/** Counts of a part of one hour. */
export interface UsageBatch {
  /** A batch is added once, even if it is repeated because no answer came. */
  id: string;
  /** Start of the hour in epoch milliseconds. */
  hour: number;
  rows: readonly UsageRow[];
}

/** Usage by the hour, kept for 90 days. */
export interface UsageStore {
  /** @throws StoreError; a part may have been added then, and the same batch must be repeated before any other. */
  add(batch: UsageBatch): Promise<void>;
  /**
   * Yields rows of the hours with `from ≤ hour < until`, day by day; one caller and tool may have several. If an account is given, rows of
   * others may be left out, and those of this one come in the order of hours. @throws StoreError
   */
  read(from: number, until: number, account?: string): AsyncIterable<UsageRow & { hour: number }>;
  /**
   * The same as the sums of all accounts for each tool, without account and key, if the store keeps them: the cost does not grow with the
   * accounts. @throws StoreError
   */
  totals?(from: number, until: number): AsyncIterable<UsageRow & { hour: number }>;
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

/** Identifies rows of the same account, key and tool; names contain no slash. */
export const rowId = ({ account, key, tool }: Pick<UsageRow, "account" | "key" | "tool">): string =>
  `${account}/${key}/${tool}`;

/** Returns the name of an hour, in UTC: `2026-11-21T09`. */
export const toHourName = (hour: number): string => new Date(hour).toISOString().slice(0, 13);

/** Returns NaN for an invalid name. */
export const fromHourName = (name: string): number => Date.parse(`${name}:00:00.000Z`);
