import {
  addCounts,
  hourMs,
  keptMs,
  metrics,
  noCounts,
  rowId,
  type UsageCounts,
  type UsageRow,
  type UsageStore,
} from "../usage/usage-store.ts";
import { type RedisClient, tagOf } from "./client.ts";
import type { Guard } from "./guard.ts";
import { createScript } from "./script.ts";
import { createUsageNames, dayMs, toDay } from "./usage-names.ts";

const waitMs = 2000;
/** Rows in one script: less than a millisecond, during which Redis answers nobody else. */
const rowsAtOnce = 100;
const accountsAtOnce = 100;
const daysAtOnce = 31;
/** The first character of fields that remember batches; names of hours begin with a digit. */
const markSign = "+";

type Row = UsageRow & { hour: number };

/**
 * Adds to the hash KEYS[1], unless this part of the batch was added before. ARGV is the end of the hash in epoch seconds, the field that remembers the
 * batches of a node, the number of this one, then fields and numbers alternating.
 */
const add =
  createScript(`if tonumber(redis.call('hget', KEYS[1], ARGV[2]) or -1) >= tonumber(ARGV[3]) then return 0 end
redis.call('hset', KEYS[1], ARGV[2], ARGV[3])
for i = 4, #ARGV, 2 do redis.call('hincrby', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('expireat', KEYS[1], ARGV[1])
return 1
`);

/**
 * A hash for each account and day, with a field per number: `HH/KEY/TOOL/METRIC`. Redis sums what several nodes add. For each day there are the sums of all
 * accounts, `HH//TOOL/METRIC`, and the list of the accounts that have a hash. An account is listed before it has one.
 */
export function createRedisUsage(client: RedisClient, guard: Guard, prefix: string): UsageStore {
  const names = createUsageNames(tagOf(client), prefix);

  async function addRows(
    name: string,
    end: number,
    [node, number]: readonly [string, number],
    rows: readonly Row[],
  ): Promise<void> {
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      // A batch has fewer parts than that; those of the next one have greater numbers.
      const part = number * 10_000 + at / rowsAtOnce;
      const fields = rows.slice(at, at + rowsAtOnce).flatMap(toFields);
      const words = [end, markSign + node, part, ...fields];
      await guard.run("write", waitMs, () => add(client, [name], words));
    }
  }

  async function list(day: number, end: number, accounts: readonly string[]): Promise<void> {
    const name = names.accounts(day);
    await guard.run("write", waitMs, () =>
      Promise.all([
        client.zadd(name, ...accounts.flatMap((account) => [0, account])),
        client.expireat(name, end),
      ]),
    );
  }

  async function read(name: string, day: number, account: string): Promise<Row[]> {
    const rows = new Map<string, Row>();
    let cursor = "0";
    do {
      const from = cursor;
      const [next, flat] = await guard.run("read", waitMs, () => client.hscan(name, from, "COUNT", 1000));
      cursor = next;
      for (let i = 0; i < flat.length; i += 2)
        put(rows, { day, account }, flat[i] ?? "", Number(flat[i + 1]));
    } while (cursor !== "0");
    return [...rows.values()].toSorted((a, b) => a.hour - b.hour);
  }

  async function* accountsOf(day: number): AsyncIterable<string[]> {
    for (let from = "-"; ;) {
      const after = from;
      const accounts = await guard.run("read", waitMs, () =>
        client.zrange(names.accounts(day), after, "+", "BYLEX", "LIMIT", 0, accountsAtOnce),
      );
      yield accounts;
      if (accounts.length < accountsAtOnce) return;
      from = `(${accounts.at(-1)}`;
    }
  }

  /** Reads a hash for each of some days. */
  async function* readDays(
    from: number,
    until: number,
    nameOf: (day: number) => string,
    account: string,
  ): AsyncIterable<Row> {
    const days = daysIn(from, until);
    for (let at = 0; at < days.length; at += daysAtOnce) {
      const some = days.slice(at, at + daysAtOnce);
      const found = await Promise.all(some.map((day) => read(nameOf(day), day, account)));
      for (const row of found.flat()) if (row.hour >= from && row.hour < until) yield row;
    }
  }

  return {
    async add({ id, hour, rows }) {
      const day = toDay(hour);
      const end = Math.ceil((day + dayMs + keptMs) / 1000);
      const batch = toBatch(id);
      const accounts = [...Map.groupBy(rows, ({ account }) => account)];
      for (let at = 0; at < accounts.length; at += accountsAtOnce) {
        const some = accounts.slice(at, at + accountsAtOnce);
        await list(
          day,
          end,
          some.map(([account]) => account),
        );
        await Promise.all(
          some.map(([account, own]) =>
            addRows(
              names.ofAccount(account, day),
              end,
              batch,
              own.map((row) => ({ ...row, hour })),
            ),
          ),
        );
      }
      await addRows(names.total(day), end, batch, sumsOf(rows, hour));
    },
    async *read(from, until, account) {
      if (account !== undefined) {
        yield* readDays(from, until, (day) => names.ofAccount(account, day), account);
        return;
      }
      for (const day of daysIn(from, until)) {
        for await (const accounts of accountsOf(day)) {
          const found = await Promise.all(accounts.map((one) => read(names.ofAccount(one, day), day, one)));
          for (const row of found.flat()) if (row.hour >= from && row.hour < until) yield row;
        }
      }
    },
    totals: (from, until) => readDays(from, until, names.total, ""),
  };
}

/** Splits the id of a batch into that of a node and a number that grows with its batches; other ids are of one batch. */
function toBatch(id: string): [node: string, number: number] {
  const [, node = id, number = "0"] = /^(.+)-(\d{1,9})$/.exec(id) ?? [];
  return [node, Number(number)];
}

function daysIn(from: number, until: number): number[] {
  const days: number[] = [];
  for (let day = toDay(from); day < until; day += dayMs) days.push(day);
  return days;
}

/** Adds up the rows of all accounts by tool. */
function sumsOf(rows: readonly UsageRow[], hour: number): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const { tool } = row;
    let sum = sums.get(tool);
    if (sum === undefined) sums.set(tool, (sum = { account: "", key: "", tool, hour, ...noCounts() }));
    addCounts(sum, row);
  }
  return [...sums.values()];
}

/** Leaves out zeros: most numbers of most rows are zero. */
const toFields = ({ hour, key, tool, ...counts }: Row): (string | number)[] =>
  metrics.flatMap((metric: keyof UsageCounts) =>
    counts[metric] === 0
      ? []
      : [`${String((hour % dayMs) / hourMs).padStart(2, "0")}/${key}/${tool}/${metric}`, counts[metric]],
  );

function put(
  rows: Map<string, Row>,
  { day, account }: { day: number; account: string },
  field: string,
  value: number,
): void {
  const [hour = "", key = "", tool = "", name = ""] = field.split("/");
  const metric = metrics.find((each) => each === name);
  if (metric === undefined || field.startsWith(markSign)) return;
  const id = `${hour}/${rowId({ account, key, tool })}`;
  let row = rows.get(id);
  if (row === undefined)
    rows.set(id, (row = { account, key, tool, ...noCounts(), hour: day + Number(hour) * hourMs }));
  row[metric] = value;
}
