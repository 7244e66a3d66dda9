import { crc32 } from "node:zlib";
import type { SqliteFile } from "../sqlite/open-file.ts";
import { hourMs, keptMs, metrics, type UsageBatch, type UsageRow } from "../usage/usage-store.ts";
import type { Damage } from "./calls.ts";

/** The usage of an account and key in an hour: a JSON object of the metrics of each tool, in the order of `metrics`. */
export type UsageText = readonly [hour: number, account: string, key: string, tools: string];

export type UsagePlace = readonly [hour: number, account: string, key: string];

export interface UsagePage extends Damage {
  rows: UsageText[];
  /** The start of the next page; undefined if this is the last one. */
  next: UsagePlace | undefined;
}

export interface UsageRows {
  add(batch: UsageBatch): Damage;
  /** Returns rows of the hours with `from ≤ hour < until` in the order of their places, of one account if it is given. */
  page(range: {
    from: number;
    until: number;
    account: string | undefined;
    after: UsagePlace | undefined;
  }): UsagePage;
}

/**
 * In the order of time: what is written now and what is removed for its age are in a few pages of their own, however many accounts there
 * are. One account's 90 days are then 2,160 look-ups.
 */
export const usageSchema = `
CREATE TABLE usage (
  hour INTEGER NOT NULL, account TEXT NOT NULL, key TEXT NOT NULL, tools TEXT NOT NULL, sum INTEGER NOT NULL,
  PRIMARY KEY (hour, account, key)
) WITHOUT ROWID, STRICT;
CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
`;

const rowsOfPage = 1_000;
/**
 * Most hours removed when an hour begins, so that a clock that runs a year ahead for a moment does not erase the whole
 * past.
 */
const maxRemoved = 24;
/** Most rows removed with a batch. */
const rowsRemoved = 2_000;

const select = "SELECT hour, account, key, tools, sum FROM";

export function createUsageRows({ prepared, run }: SqliteFile): UsageRows {
  /** The hour of the last batch; rows of hours before `oldest` are being removed. */
  let current = -1;
  let oldest = -1;

  function add({ id, hour: start, rows }: UsageBatch): Damage {
    const damaged: string[] = [];
    if (lastBatch() === id) return { damaged };
    const hour = start / hourMs;
    if (hour !== current) oldest = oldestToKeep(hour);
    current = hour;
    for (const some of Map.groupBy(rows, ({ account, key }) => `${account}/${key}`).values())
      addTo(hour, some, damaged);
    run("INSERT OR REPLACE INTO marks VALUES ('batch', ?)", id);
    run(
      "DELETE FROM usage WHERE (hour, account, key) IN (SELECT hour, account, key FROM usage WHERE hour < ? LIMIT ?)",
      oldest,
      rowsRemoved,
    );
    return { damaged };
  }

  const lastBatch = (): unknown => prepared("SELECT value FROM marks WHERE name = 'batch'").get()?.["value"];

  /** Adds rows of one account and key. What was counted is lost if its row is damaged. */
  function addTo(hour: number, rows: readonly UsageRow[], damaged: string[]): void {
    const { account, key } = rows[0] as UsageRow;
    const found = prepared(`${select} usage WHERE hour = ? AND account = ? AND key = ?`).get(
      hour,
      account,
      key,
    );
    const known = found === undefined ? undefined : toText(found, damaged);
    const tools = JSON.parse(known?.[3] ?? "{}") as Record<string, number[]>;
    for (const row of rows) {
      const sums = tools[row.tool] ?? [];
      tools[row.tool] = metrics.map((metric, at) => (sums[at] ?? 0) + row[metric]);
    }
    const text = JSON.stringify(tools);
    run(
      "INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?, ?)",
      hour,
      account,
      key,
      text,
      sumOf([hour, account, key, text]),
    );
  }

  /** Returns the first hour to keep. Later hours were written before the clock was set back. */
  function oldestToKeep(hour: number): number {
    const before = hour + 1 - keptMs / hourMs;
    let first = -1;
    for (let removed = 0; removed <= maxRemoved; removed++) {
      const next = prepared("SELECT min(hour) AS hour FROM usage WHERE hour > ?").get(first)?.["hour"];
      if (typeof next !== "number" || next >= before) return before;
      first = next;
    }
    return first;
  }

  const ofAll = (until: number, after: UsagePlace): Found[] =>
    prepared(
      `${select} usage WHERE (hour, account, key) > (?, ?, ?) AND hour < ? ORDER BY hour, account, key LIMIT ?`,
    ).all(...after, until, rowsOfPage);

  /** Looks up each hour. The outer loop of the join is that of the hours, so nothing needs to be sorted. */
  const ofAccount = (account: string, until: number, [hour, , key]: UsagePlace): Found[] =>
    prepared(
      `WITH RECURSIVE hours(h) AS (SELECT ? UNION ALL SELECT h + 1 FROM hours WHERE h + 1 < ?)
       ${select} hours CROSS JOIN usage ON hour = h AND account = ? AND (hour > ? OR key > ?) LIMIT ?`,
    ).all(hour, until, account, hour, key, rowsOfPage);

  return {
    add,
    page({ from: start, until: end, account, after }) {
      const known = prepared(
        // Each by itself is a look-up, both together would be a scan.
        "SELECT (SELECT min(hour) FROM usage) AS first, (SELECT max(hour) FROM usage) AS last",
      ).get();
      const { first, last } = known as { first: number | null; last: number | null };
      if (first === null || last === null) return { rows: [], damaged: [], next: undefined };
      const from = Math.max(first, start / hourMs);
      const until = Math.min(last + 1, Math.ceil(end / hourMs));
      if (from >= until) return { rows: [], damaged: [], next: undefined };
      const place = after ?? [from, "", ""];
      const found = account === undefined ? ofAll(until, place) : ofAccount(account, until, place);
      const damaged: string[] = [];
      const rows = found.flatMap((row) => {
        const text = toText(row, damaged);
        return text === undefined ? [] : [text];
      });
      const following = found.length < rowsOfPage ? undefined : found.at(-1);
      return { rows, damaged, next: following && placeOf(following) };
    },
  };
}

type Found = Record<string, unknown>;

const placeOf = ({ hour, account, key }: Found): UsagePlace => [Number(hour), String(account), String(key)];

function toText(found: Found, damaged: string[]): UsageText | undefined {
  const text: UsageText = [...placeOf(found), String(found["tools"])];
  if (found["sum"] === sumOf(text)) return text;
  const [hour, account, key] = text;
  damaged.push(`the usage of ${account} by ${key} at ${new Date(hour * hourMs).toISOString()}`);
  return undefined;
}

const sumOf = (text: UsageText): number => crc32(text.join(" "));
