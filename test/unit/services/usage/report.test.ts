import { describe, expect, test } from "vitest";
import { StoreError } from "../../../../src/storage/errors.ts";
import { createMemoryUsage } from "../../../../src/storage/usage/memory-usage.ts";
import { hourMs, keptMs, type UsageStore } from "../../../../src/storage/usage/usage-store.ts";
import {
  reportUsageBy,
  type UsageGroup,
  type UsageQuery,
  type UsageReport,
} from "../../../../src/services/usage/report.ts";
import { createServices, refusalOf, start } from "../setup.ts";
import { usageRow } from "../../storage/usage/usage-row.ts";

/** Two accounts over three hours, the last of which is the current one. */
async function createTest() {
  const usage = createMemoryUsage();
  await usage.add({
    id: "1",
    hour: start - 2 * hourMs,
    rows: [usageRow("ci", "key_1", "uuid", { ok: 5, micros: 1_500 })],
  });
  await usage.add({
    id: "2",
    hour: start,
    rows: [
      usageRow("ci", "key_1", "uuid", {
        ok: 1,
        refused: 2,
        failed: 1,
        limited: 3,
        inputBytes: 7,
        outputBytes: 9,
        micros: 2_000,
      }),
      usageRow("ci", "key_2", "hash", { ok: 1 }),
      usageRow("farm", "key_3", "hash", { ok: 50 }),
    ],
  });
  return usage;
}

/** One report of the store. */
async function reportUsage(
  store: UsageStore,
  { by, ...query }: UsageQuery & { by: UsageGroup },
): Promise<UsageReport> {
  const [report] = await reportUsageBy([by], store, query);
  return report as UsageReport;
}

const query = { since: start - 2 * hourMs + 1, until: start + 1 };

describe("adds up", () => {
  const shown = async (by: UsageReport["by"], more: object = {}) =>
    (await reportUsage(await createTest(), { ...query, by, ...more })).items.map(
      ({ account, key, tool, hour, requests, limited }) =>
        [account, key, tool, hour, requests, limited].filter((value) => value !== undefined).join(" "),
    );

  test("by account, key, tool and hour; the most used first", async () => {
    expect(await shown("account")).toEqual(["farm 50 0", "ci 10 3"]);
    expect(await shown("key")).toEqual(["farm key_3 50 0", "ci key_1 9 3", "ci key_2 1 0"]);
    expect(await shown("tool")).toEqual(["hash 51 0", "uuid 9 3"]);
    // An hour without use has a row.
    expect(await shown("hour")).toEqual([
      "2026-11-21T10:00:00.000Z 5 0",
      "2026-11-21T11:00:00.000Z 0 0",
      "2026-11-21T12:00:00.000Z 55 3",
    ]);
    expect(await shown("tool", { account: "ci" })).toEqual(["uuid 9 3", "hash 1 0"]);
    expect(await shown("account", { since: start })).toEqual(["farm 50 0", "ci 5 3"]);
  });

  test("by day in UTC, where a day without use has a row and the first day begins with the report", async () => {
    const usage = await createTest();
    const dayMs = 24 * hourMs;
    const early = start - 2 * dayMs;
    await usage.add({ id: "3", hour: early, rows: [usageRow("ci", "key_1", "uuid", { ok: 7 })] });
    await usage.add({ id: "4", hour: early - hourMs, rows: [usageRow("ci", "key_1", "uuid", { ok: 100 })] });
    const days = async (more: object = {}) => {
      const report = await reportUsage(usage, { ...query, since: early + 1, by: "day", ...more });
      return report.items.map(({ day, requests }) => `${day} ${requests}`);
    };
    expect(await days()).toEqual([
      "2026-11-19T00:00:00.000Z 7",
      "2026-11-20T00:00:00.000Z 0",
      "2026-11-21T00:00:00.000Z 60",
    ]);
    expect((await days({ key: "key_1" })).at(-1)).toBe("2026-11-21T00:00:00.000Z 9");
  });

  test("of one key, by tool and hour", async () => {
    expect(await shown("tool", { key: "key_1" })).toEqual(["uuid 9 3"]);
    expect(await shown("hour", { key: "key_2" })).toEqual([
      "2026-11-21T10:00:00.000Z 0 0",
      "2026-11-21T11:00:00.000Z 0 0",
      "2026-11-21T12:00:00.000Z 1 0",
    ]);
    expect(await shown("key", { key: "key_3", account: "ci" })).toEqual([]);
  });

  test("every counter, microseconds as milliseconds, and requests by the hour for a chart", async () => {
    const report = await reportUsage(await createTest(), { ...query, by: "key", account: "ci" });
    expect(report).toMatchObject({
      since: "2026-11-21T10:00:00.000Z",
      until: "2026-11-21T12:00:00.001Z",
      by: "key",
      hours: [5, 0, 5],
    });
    expect(report.items[0]).toEqual({
      key: "key_1",
      account: "ci",
      requests: 9,
      ok: 6,
      refused: 2,
      failed: 1,
      limited: 3,
      inputBytes: 7,
      outputBytes: 9,
      milliseconds: 4,
    });
  });

  test("covers at most the 90 days that are kept", async () => {
    const report = await reportUsage(await createTest(), { since: 0, until: start, by: "hour" });
    const days = await reportUsage(await createTest(), { since: 0, until: start, by: "day" });
    // The ninetieth of the whole days before today begins in the middle.
    expect(days.items).toHaveLength(91);
    expect(report.items).toHaveLength(keptMs / hourMs);
    expect(report.hours).toHaveLength(keptMs / hourMs);
  });
});

test("an unreadable store is refused with its cause, not reported as empty", async () => {
  const usage = {
    ...createMemoryUsage(),
    // oxlint-disable-next-line require-yield -- It fails before the first row.
    async *read() {
      throw new StoreError("read", "It is shut.");
    },
  };
  await expect(reportUsage(usage, { ...query, by: "account" })).rejects.toMatchObject({
    code: "storage_unavailable",
    cause: { reason: "It is shut." },
  });
});

test("for the operator: 24 hours by account by default; an unknown account differs from one without use", async () => {
  const { admin, store } = await createServices();
  const usage = await store.usage();
  await usage.add({
    id: "1",
    hour: start - 30 * hourMs,
    rows: [usageRow("gone", "key_1", "uuid", { ok: 5 })],
  });
  await usage.add({
    id: "2",
    hour: start,
    rows: [usageRow("ci", "key_2", "uuid", { ok: 2 }), usageRow("(free)", "-", "-", { limited: 2 })],
  });
  await admin.call("accounts.create", { name: "ci", plan: "pro" });
  await admin.call("accounts.create", { name: "idle", plan: "pro" });
  const history = async (args: object) => {
    const { items } = (await admin.call("usage.history", args)) as UsageReport;
    return items.map(({ account, requests, limited }) => `${account} ${requests} ${limited}`);
  };
  expect(await history({})).toEqual(["ci 2 0", "(free) 0 2"]);
  expect(await history({ since: "2d" })).toEqual(["gone 5 0", "ci 2 0", "(free) 0 2"]);
  expect(await history({ since: "2d", until: "1d" })).toEqual(["gone 5 0"]);
  // The hour of the end is included, unless the end is its beginning.
  expect(await history({ until: "2026-11-21T12:00:00Z" })).toEqual([]);
  expect(await history({ since: "1d", until: "2d" })).toEqual([]);
  expect(await history({ account: "gone", since: "2d" })).toEqual(["gone 5 0"]);
  expect(await history({ account: "idle" })).toEqual([]);
  expect(await history({ account: "(free)" })).toEqual(["(free) 0 2"]);
  for (const by of ["account", "hour"]) {
    expect(await refusalOf(() => history({ account: "idel", by }))).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("Did you mean idle?"),
    });
  }
  expect((await refusalOf(() => history({ since: "-1d" }))).pointer).toBe("/since");
  expect((await refusalOf(() => history({ by: "week" }))).pointer).toBe("/by");
});
