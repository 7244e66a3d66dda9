import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFileUsage } from "../../../../src/storage/usage/file-usage.ts";
import { createMemoryUsage } from "../../../../src/storage/usage/memory-usage.ts";
import { hourMs, keptMs, type UsageRow, type UsageStore } from "../../../../src/storage/usage/usage-store.ts";
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

describe("in files", () => {
  const names = (folder: string) => readdirSync(join(folder, "usage"));

  test("a finished hour is summed up, and removed after 90 days", async () => {
    const folder = makeFolder();
    const usage = createFileUsage(folder, { onError: ({ reason }) => expect.unreachable(reason) });
    const first = Date.parse("2026-08-01T00:00:00.000Z");
    for (let n = 0; n < 5; n++)
      await usage.add(batch(first, row("ci", "uuid", { ok: 1 }), row("b", "uuid", { ok: 2 })));
    const file = join(folder, "usage/2026-08-01T00.jsonl");
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(12);
    await usage.add(batch(first + hourMs, row("ci", "uuid", { ok: 1 })));
    expect(
      readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toEqual([
      { v: 1, hour: "2026-08-01T00", whole: true },
      row("ci", "uuid", { ok: 5 }),
      row("b", "uuid", { ok: 10 }),
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await usage.add(batch(first + keptMs - hourMs, row("ci", "uuid", { ok: 1 })));
    expect(names(folder)).toContain("2026-08-01T00.jsonl");
    await usage.add(batch(first + keptMs, row("ci", "uuid", { ok: 1 })));
    expect(names(folder)).toEqual(["2026-08-01T01.jsonl", "2026-10-29T23.jsonl", "2026-10-30T00.jsonl"]);
  });

  test("a clock that is a year ahead for a moment removes one day of the past, not all of it", async () => {
    const folder = makeFolder();
    const usage = createFileUsage(folder, { onError: ({ reason }) => expect.unreachable(reason) });
    const first = Date.parse("2026-08-01T00:00:00.000Z");
    for (let n = 0; n < 60; n++) await usage.add(batch(first + n * hourMs, row("ci", "uuid", { ok: 1 })));
    await usage.add(batch(first + 365 * 24 * hourMs, row("ci", "uuid", { ok: 1 })));
    expect(names(folder)).toHaveLength(60 - 24 + 1);
    // The clock is right again: later files are not finished hours, and the hour that is finished is summed up as usual.
    const last = first + 59 * hourMs;
    for (let n = 0; n < 3; n++) await usage.add(batch(last, row("ci", "uuid", { ok: 1 })));
    await usage.add(batch(last + hourMs, row("ci", "uuid", { ok: 1 })));
    const text = readFileSync(join(folder, "usage/2026-08-03T11.jsonl"), "utf8");
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toEqual([{ v: 1, hour: "2026-08-03T11", whole: true }, row("ci", "uuid", { ok: 4 })]);
  });

  test("after a long pause, old hours are removed in small steps", async () => {
    const folder = makeFolder();
    const usage = createFileUsage(folder, { onError: ({ reason }) => expect.unreachable(reason) });
    const first = Date.parse("2026-01-01T00:00:00.000Z");
    for (let n = 0; n < 30; n++) await usage.add(batch(first + n * hourMs, row("ci", "uuid", { ok: 1 })));
    const later = first + 200 * 24 * hourMs;
    for (let n = 0; n < 2; n++) await usage.add(batch(later + n * hourMs, row("ci", "uuid", { ok: 1 })));
    expect(names(folder)).toHaveLength(2);
  });

  test("a busy hour has a bounded size", async () => {
    const folder = makeFolder();
    const usage = createFileUsage(folder, {
      onError: ({ reason }) => expect.unreachable(reason),
      compactBytes: 5000,
    });
    for (let n = 0; n < 200; n++) await usage.add(batch(hour, row("ci", "uuid", { ok: 1 })));
    expect(statSync(join(folder, "usage", names(folder)[0] ?? "")).size).toBeLessThan(5500);
    expect(await totals(usage)).toEqual({ "0 ci key_ci uuid": { ok: 200 } });
  });

  test("a half-written line of a crash is skipped, and does not damage the next one", async () => {
    const folder = makeFolder();
    const onError = () => expect.unreachable();
    await createFileUsage(folder, { onError }).add(batch(hour, row("ci", "uuid", { ok: 1 })));
    const [name = ""] = names(folder);
    appendFileSync(join(folder, "usage", name), '{"account":"ci","key":"key_ci","tool":"uuid","ok":77');
    const usage = createFileUsage(folder, { onError });
    await usage.add(batch(hour, row("ci", "uuid", { ok: 2 })));
    expect(await totals(usage)).toEqual({ "0 ci key_ci uuid": { ok: 3 } });
  });

  test("a file removed during a read is skipped, and temporary files of a crash are swept", async () => {
    const folder = makeFolder();
    const usage = createFileUsage(folder, { onError: () => expect.unreachable() });
    await usage.add(batch(hour - hourMs, row("ci", "uuid", { ok: 1 })));
    await usage.add(batch(hour, row("ci", "uuid", { ok: 2 })));
    const [, later = ""] = names(folder);
    const seen: number[] = [];
    for await (const { ok } of usage.read(0, Infinity)) {
      seen.push(ok);
      rmSync(join(folder, "usage", later), { force: true });
    }
    expect(seen).toEqual([1]);
    writeFileSync(join(folder, "usage", `${later}.tmp`), "half");
    await createFileUsage(folder, { onError: () => expect.unreachable() }).add(
      batch(hour, row("ci", "uuid", { ok: 3 })),
    );
    expect(names(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("a file of another release is refused by name, not read as empty", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "usage"));
    const usage = createFileUsage(folder, { onError: () => {} });
    await usage.add(batch(hour, row("ci", "uuid", { ok: 1 })));
    const [name = ""] = names(folder);
    writeFileSync(join(folder, "usage", name), '{"v":2}\n');
    await expect(totals(usage)).rejects.toMatchObject({
      operation: "read",
      reason: expect.stringContaining("another release of penknife (version 2, this one reads 1)"),
    });
  });

  test("a failed write is reported, and the same batch is counted once later", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "usage"), "in the way");
    const usage = createFileUsage(folder, { onError: () => {} });
    const once = batch(hour, row("ci", "uuid", { ok: 1 }));
    await expect(usage.add(once)).rejects.toMatchObject({ operation: "write" });
    rmSync(join(folder, "usage"));
    await usage.add(once);
    await usage.add(once);
    expect(await totals(usage)).toEqual({ "0 ci key_ci uuid": { ok: 1 } });
  });
});

describe("in Redis", () => {
  test("two nodes add up exactly, and an hour is dropped 90 days after its end", async () => {
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
    const name = new Date(hour).toISOString().slice(0, 13);
    const end = Number(await server.command("EXPIRETIME", `${redis.prefix}usage:${name}`));
    expect(end).toBe((hour + hourMs + keptMs) / 1000);
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
