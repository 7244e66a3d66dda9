import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { reportUsageBy } from "../../../../src/services/usage/report.ts";
import { createHistoryUsage } from "../../../../src/storage/history/usage.ts";
import { createMemoryUsage } from "../../../../src/storage/usage/memory-usage.ts";
import { hourMs, keptMs, type UsageRow, type UsageStore } from "../../../../src/storage/usage/usage-store.ts";
import { damageHistory, openHistory } from "../../../support/history.ts";
import { usageRow } from "../../../unit/storage/usage/usage-row.ts";
import { drivers, optionsOf, redisOptions, sharedRedis } from "../drivers.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";

// Redis drops by its own clock what is older than 90 days.
const hour = Math.floor(Date.now() / hourMs) * hourMs;

const row = (account: string, tool: string, changes: Partial<UsageRow> = {}): UsageRow =>
  usageRow(account, `key_${account}`, tool, changes);

let batches = 0;
const batch = (at: number, ...rows: UsageRow[]) => ({ id: `b${++batches}`, hour: at, rows });

/** All of it, each caller and tool of an hour once. */
async function totals(
  usage: UsageStore,
  from = 0,
  until = Infinity,
): Promise<Record<string, Partial<UsageRow>>> {
  const found: Record<string, Record<string, number>> = {};
  // A store that iterates over every hour would never finish.
  for await (const { account, key, tool, hour: at, ...counts } of usage.read(
    Math.max(from, hour - keptMs),
    Math.min(until, hour + 2 * hourMs),
  )) {
    const sums = (found[`${(at - hour) / hourMs} ${account} ${key} ${tool}`] ??= {});
    for (const [name, value] of Object.entries(counts))
      if (value !== 0) sums[name] = (sums[name] ?? 0) + value;
  }
  return found;
}

describe.each(drivers)("the usage of the %s driver", (driver) => {
  test("adds up batches, for each account, key, tool and hour separately", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const usage = await store.usage();
    expect(await totals(usage)).toEqual({});
    await usage.add(batch(hour - hourMs, row("ci", "uuid", { ok: 1 })));
    await usage.add(
      batch(
        hour,
        row("ci", "uuid", { ok: 3, inputBytes: 10, outputBytes: 36, micros: 700 }),
        row("ci", "hash", { refused: 1, failed: 2, limited: 4 }),
        row("(free)", "-", { limited: 9, key: "-" }),
      ),
    );
    await usage.add(batch(hour, row("ci", "uuid", { ok: 2, outputBytes: 1 })));
    expect(await totals(usage)).toEqual({
      "-1 ci key_ci uuid": { ok: 1 },
      "0 ci key_ci uuid": { ok: 5, inputBytes: 10, outputBytes: 37, micros: 700 },
      "0 ci key_ci hash": { refused: 1, failed: 2, limited: 4 },
      "0 (free) - -": { limited: 9 },
    });
    expect(Object.keys(await totals(usage, hour - hourMs, hour))).toEqual(["-1 ci key_ci uuid"]);
  });

  test("counts a batch once if it is sent again because no answer came", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const usage = await store.usage();
    const once = batch(hour, ...Array.from({ length: 250 }, (_, n) => row(`a${n}`, "uuid", { ok: n + 1 })));
    await usage.add(once);
    await usage.add(once);
    const sums = Object.values(await totals(usage));
    expect(sums).toHaveLength(250);
    expect(sums.reduce((sum, { ok = 0 }) => sum + ok, 0)).toBe((250 * 251) / 2);
  });

  test("is read of one account alone, and added up for all of them, whatever day it was", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const usage = await store.usage();
    for (let back = 0; back < 60; back += 7)
      await usage.add(
        batch(
          hour - back * hourMs,
          ...["a", "b", "c"].map((name) => row(name, "uuid", { ok: back, micros: 3 })),
          row("a", "hash", { failed: 1 }),
        ),
      );
    const from = hour - 59 * hourMs;
    const own = (await Array.fromAsync(usage.read(from, hour + hourMs, "b"))).filter(
      ({ account }) => account === "b",
    );
    expect(own.map((one) => [(hour - one.hour) / hourMs, one.ok])).toEqual(
      [56, 49, 42, 35, 28, 21, 14, 7, 0].map((back) => [back, back]),
    );
    const { groups, read } = { groups: ["hour", "day", "tool"] as const, read: usage.read };
    const query = { since: from, until: hour };
    const reports = await reportUsageBy(groups, usage, query);
    // Without sums of all accounts.
    expect(await reportUsageBy(groups, { add: usage.add, read }, query)).toEqual(reports);
    expect(reports[2]?.items).toMatchObject([
      { tool: "uuid", requests: 3 * 252 },
      { tool: "hash", requests: 9, failed: 9 },
    ]);
  });

  test("returns the hours in order", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const usage = await store.usage();
    for (const back of [3, 1, 2])
      await usage.add(batch(hour - back * hourMs, row("ci", "uuid", { ok: back })));
    expect(Object.values(await totals(usage)).map(({ ok }) => ok)).toEqual([3, 2, 1]);
  });
});

test("memory keeps an hour for 90 days", async () => {
  const usage = createMemoryUsage();
  const hours = async () => (await Array.fromAsync(usage.read(0, Infinity))).map(({ hour: at }) => at - hour);
  await usage.add(batch(hour, row("ci", "uuid")));
  await usage.add(batch(hour + keptMs - hourMs, row("ci", "uuid")));
  expect(await hours()).toEqual([0, keptMs - hourMs]);
  await usage.add(batch(hour + keptMs, row("ci", "uuid")));
  expect(await hours()).toEqual([keptMs - hourMs, keptMs]);
});

describe("in a folder", () => {
  const open = (folder: string, errors: string[] = []) => {
    const history = openHistory(folder, ({ reason }) => void errors.push(reason));
    onTestFinished(() => history.close());
    return { usage: createHistoryUsage(history), close: history.close, errors };
  };
  const hoursOf = async (usage: UsageStore): Promise<number[]> => [
    ...new Set((await Array.fromAsync(usage.read(0, Infinity))).map(({ hour: at }) => at)),
  ];

  test("an hour is removed after 90 days", async () => {
    const { usage } = open(makeFolder());
    const first = Date.parse("2026-08-01T00:00:00.000Z");
    for (const at of [first, first + hourMs, first + keptMs - hourMs])
      await usage.add(batch(at, row("ci", "uuid", { ok: 1 })));
    expect(await hoursOf(usage)).toHaveLength(3);
    await usage.add(batch(first + keptMs, row("ci", "uuid", { ok: 1 })));
    expect(await hoursOf(usage)).toEqual([first + hourMs, first + keptMs - hourMs, first + keptMs]);
  });

  test("a clock that is a year ahead for a moment removes one day of the past, not all of it", async () => {
    const { usage } = open(makeFolder());
    const first = Date.parse("2026-08-01T00:00:00.000Z");
    for (let n = 0; n < 60; n++) await usage.add(batch(first + n * hourMs, row("ci", "uuid", { ok: 1 })));
    for (let n = 0; n < 3; n++)
      await usage.add(batch(first + 365 * 24 * hourMs, row("ci", "uuid", { ok: 1 })));
    expect(await hoursOf(usage)).toHaveLength(60 - 24 + 1);
    // The clock is right again.
    const last = first + 59 * hourMs;
    await usage.add(batch(last, row("ci", "uuid", { ok: 3 })));
    expect((await hoursOf(usage)).slice(-2)).toEqual([last, first + 365 * 24 * hourMs]);
  });

  test("many rows of old hours are removed in small steps", async () => {
    const { usage } = open(makeFolder());
    const first = Date.parse("2026-01-01T00:00:00.000Z");
    const rows = Array.from({ length: 4_500 }, (_, n) => row(`a${n}`, "uuid", { ok: 1 }));
    await usage.add(batch(first, ...rows));
    const left: number[] = [];
    for (let n = 0; n < 3; n++) {
      await usage.add(batch(first + 200 * 24 * hourMs, row("ci", "uuid", { ok: 1 })));
      left.push((await Array.fromAsync(usage.read(first, first + hourMs))).length);
    }
    expect(left).toEqual([2_500, 500, 0]);
  });

  test("one account's rows are found without those of others, in as many pages as they take", async () => {
    const { usage } = open(makeFolder());
    const names = Array.from({ length: 30 }, (_, n) => `a${n}`);
    for (let n = 0; n < 120; n++)
      await usage.add(
        batch(
          hour - n * hourMs,
          ...names.flatMap((name) =>
            Array.from({ length: name === "a7" ? 20 : 1 }, (_, k) =>
              usageRow(name, `key_${k}`, "uuid", { ok: 1 }),
            ),
          ),
        ),
      );
    const found = await Array.fromAsync(usage.read(0, Infinity, "a7"));
    expect(found).toHaveLength(120 * 20);
    expect(new Set(found.map(({ account }) => account))).toEqual(new Set(["a7"]));
    expect(found.map(({ hour: at }) => at)).toEqual(
      found.map(({ hour: at }) => at).toSorted((a, b) => a - b),
    );
    expect(await Array.fromAsync(usage.read(hour - 2 * hourMs, hour, "a7"))).toHaveLength(40);
    expect(await Array.fromAsync(usage.read(0, Infinity))).toHaveLength(120 * 49);
    expect(await Array.fromAsync(usage.read(0, Infinity, "none"))).toEqual([]);
  });

  test("a batch that is repeated after a restart is counted once", async () => {
    const folder = makeFolder();
    const once = batch(hour, row("ci", "uuid", { ok: 1 }));
    const first = open(folder);
    await first.usage.add(once);
    await first.close();
    const { usage } = open(folder);
    await usage.add(once);
    expect(await totals(usage)).toEqual({ "0 ci key_ci uuid": { ok: 1 } });
  });

  test("a damaged row is reported and left out, alone, and counts again from then on", async () => {
    const folder = makeFolder();
    const first = open(folder);
    await first.usage.add(batch(hour, row("a", "uuid", { ok: 1 }), row("b", "uuid", { ok: 2 })));
    await first.close();
    damageHistory(folder, "UPDATE usage SET tools = replace(tools, '[1,', '[3,') WHERE account = 'a'");
    const errors: string[] = [];
    const { usage } = open(folder, errors);
    expect(await totals(usage)).toEqual({ "0 b key_b uuid": { ok: 2 } });
    const report = `${join(folder, "history.db")} is damaged: the usage of a by key_a at ${new Date(hour).toISOString()} is lost.`;
    expect(errors).toEqual([report]);
    await usage.add(batch(hour, row("a", "uuid", { ok: 7 })));
    expect(errors).toEqual([report, report]);
    expect(await totals(usage)).toEqual({ "0 a key_a uuid": { ok: 7 }, "0 b key_b uuid": { ok: 2 } });
  });

  test("a failed write is reported, and the same batch is counted once later", async () => {
    const history = openHistory(makeFolder(), () => {});
    onTestFinished(() => history.close());
    let fails = true;
    const usage = createHistoryUsage({
      ...history,
      // The transaction is made, and its answer is lost.
      async call(call) {
        const answer = await history.call(call);
        if (fails) throw new Error("the thread has ended");
        return answer;
      },
    });
    const once = batch(hour, row("ci", "uuid", { ok: 1 }));
    await expect(usage.add(once)).rejects.toMatchObject({ operation: "write" });
    fails = false;
    await usage.add(once);
    await usage.add(once);
    expect(await totals(usage)).toEqual({ "0 ci key_ci uuid": { ok: 1 } });
  });
});

describe("in Redis", () => {
  test("two nodes add up exactly, and a day is dropped 90 days after its end", async () => {
    const server = await sharedRedis();
    const redis = redisOptions(server.url);
    const nodes = await Promise.all(
      Array.from({ length: 2 }, async () => (await openTestStore({ driver: "redis", redis })).store.usage()),
    );
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        nodes[n % 2]?.add({ id: `n${n}`, hour, rows: [row("ci", "uuid", { ok: 1, micros: n })] }),
      ),
    );
    for (const node of nodes) {
      expect(await totals(node)).toEqual({ "0 ci key_ci uuid": { ok: 60, micros: (59 * 60) / 2 } });
    }
    const day = new Date(hour).toISOString().slice(0, 10);
    const expected = (Date.parse(`${day}T00:00:00Z`) + 24 * hourMs + keptMs) / 1000;
    for (const name of [`of:ci:${day}`, `all:${day}`, `accounts:${day}`])
      expect(await server.command("EXPIRETIME", `${redis.prefix}usage:${name}`)).toBe(expected);
  });

  test("a batch cut in the middle is completed, and nothing is counted twice", async () => {
    const server = await sharedRedis();
    const redis = redisOptions(server.url);
    const usage = await (await openTestStore({ driver: "redis", redis })).store.usage();
    const rows = Array.from({ length: 250 }, (_, n) => row(`a${n}`, "uuid", { ok: 1 }));
    // Runs the first of three scripts, as a node does whose connection then breaks.
    await usage.add({ id: "cut", hour, rows: rows.slice(0, 100) });
    await usage.add({ id: "cut", hour, rows });
    const sums = Object.values(await totals(usage));
    expect(sums.map(({ ok }) => ok)).toEqual(rows.map(() => 1));
  });
});
