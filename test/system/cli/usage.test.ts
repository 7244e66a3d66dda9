import { describe, expect, test } from "vitest";
import { hourMs } from "../../../src/storage/usage/usage-store.ts";
import { openStore } from "../../../src/storage/storage.ts";
import { renderBar, renderSparkline } from "../../../src/surfaces/cli/admin/usage-history.ts";
import type { UsageReport } from "../../../src/services/usage/report.ts";
import { writeUsage } from "../../../src/surfaces/cli/admin/usage-history.ts";
import type { Host } from "../../../src/surfaces/cli/host.ts";
import { json, places, start } from "./places.ts";
import { testRuntime } from "../../support/runtime.ts";
import { usageRow } from "../../unit/storage/usage/usage-row.ts";

describe.each(places)("usage $name", ({ open }) => {
  /** Two accounts, one of which was used three hours ago and now. */
  async function openUsed() {
    const place = await open();
    await place.admin("accounts create ci --plan pro");
    await place.admin("accounts create farm --plan team");
    const store =
      place.store ??
      (await openStore({
        driver: "file",
        path: place.folder,
        runtime: testRuntime({ now: () => start }),
        onError: () => expect.unreachable(),
      }));
    const usage = await store.usage();
    await usage.add({
      id: "1",
      hour: start - 3 * hourMs,
      rows: [usageRow("ci", "key_1", "uuid", { ok: 800, micros: 4e6 })],
    });
    await usage.add({
      id: "2",
      hour: start,
      rows: [
        usageRow("ci", "key_1", "uuid", {
          ok: 100,
          refused: 7,
          failed: 1,
          inputBytes: 2048,
          outputBytes: 3_500_000,
        }),
        usageRow("farm", "key_2", "hash", { ok: 2, limited: 5 }),
      ],
    });
    if (place.store === undefined) await store.close();
    return place;
  }

  test("of this hour is used, limit and remaining", async () => {
    const { admin } = await openUsed();
    const window = "ci\tpro\t0\t1000\t1000\t-\n";
    for (const line of ["usage ci", "usage --account ci", "usage ci --account ci"])
      expect(await admin(line)).toMatchObject({ status: 0, stdout: window, stderr: "" });
    expect((await admin("usage")).stdout).toBe(`${window}farm\tteam\t0\t10000\t10000\t-\n`);
  });

  test("of the past for scripts is separated by tabs or commas, or JSON, without a chart", async () => {
    const { admin } = await openUsed();
    expect(await admin("usage --by account")).toMatchObject({
      status: 0,
      stderr: "",
      stdout: "ci\t908\t900\t7\t1\t0\t2048\t3500000\t4000\nfarm\t2\t2\t0\t0\t5\t0\t0\t0\n",
    });
    expect((await admin("usage ci --since 2h --by key --csv")).stdout).toBe(
      "key,account,requests,ok,refused,failed,limited,inputBytes,outputBytes,milliseconds\nkey_1,ci,108,100,7,1,0,2048,3500000,0\n",
    );
    expect(
      (await admin("usage --since 3h --by hour")).stdout
        .split("\n")
        .map((line) => line.split("\t", 2).join(" ")),
    ).toEqual([
      "2026-03-01T09:00:00.000Z 800",
      "2026-03-01T10:00:00.000Z 0",
      "2026-03-01T11:00:00.000Z 0",
      "2026-03-01T12:00:00.000Z 110",
      "",
    ]);
    const daily = await admin("usage --key key_1 --since 24h --by day --csv");
    expect(daily.stdout.split("\n").map((line) => line.split(",", 2).join(" "))).toEqual([
      "day requests",
      "2026-02-28T00:00:00.000Z 0",
      "2026-03-01T00:00:00.000Z 908",
      "",
    ]);
    expect((await admin("usage --key key_2")).stdout).toMatch(/^farm\t2\t/);
    const report = json(await admin("usage --since 1h --by tool --json"));
    expect(report).toMatchObject({
      since: "2026-03-01T11:00:00.000Z",
      until: "2026-03-01T12:00:00.000Z",
      by: "tool",
      hours: [0, 110],
      items: [
        { tool: "uuid", requests: 108 },
        { tool: "hash", requests: 2, limited: 5 },
      ],
    });
  });

  test("of the past on a terminal has a line over time and bars, no wider than the terminal, without colours", async () => {
    const { admin } = await openUsed();
    const { stdout } = await admin("usage --since 3h --by account", { tty: { stdout: true } });
    expect(stdout.split("\n")).toEqual([
      "910 requests from 2026-03-01T09:00:00.000Z to 2026-03-01T12:00:00.000Z",
      "█  ▂",
      "",
      "ACCOUNT  REQUESTS  OK   REFUSED  FAILED  LIMITED  IN      OUT     AVG MS",
      "ci       908       900  7        1       0        2.0 KB  3.3 MB  4.4     █████████████████████████",
      "farm     2         2    0        0       5        0 B     0 B     0.0     ▏",
      "",
    ]);
    expect(stdout).not.toContain("\u001b");
  });

  test("is empty if there was none", async () => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    expect((await admin("usage --since 1d")).stdout).toBe("");
    const shown = await admin("usage --since 1d", { tty: { stdout: true } });
    expect(shown.stdout).toMatch(/^0 requests from .*\n\nACCOUNT/);
    expect(await admin("usage nobody --since 1d")).toMatchObject({ status: 2, stdout: "" });
  });

  test.each([
    ["usage ci --account farm", "NAME and --account differ"],
    ["usage --since 1d --csv --json", "Give --json or --csv, not both."],
    ["usage --by week", "--by must be one of account, key, tool, hour, day, got"],
    ["usage --since tomorrow", "--since must be a duration before now"],
    ["usage ci farm", 'Unexpected argument "farm"'],
  ])("%s is a usage error", async (line, message) => {
    const { admin } = await open();
    await admin("accounts create ci --plan pro");
    const { status, stdout, stderr } = await admin(line);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

test("a terminal too narrow for bars shows none, and one of unknown width counts as 80 columns", async () => {
  const item = {
    requests: 3,
    ok: 3,
    refused: 0,
    failed: 0,
    limited: 0,
    inputBytes: 0,
    outputBytes: 0,
    milliseconds: 1,
  };
  const report: UsageReport = {
    since: "2026-03-01T12:00:00.000Z",
    until: "2026-03-01T12:10:00.000Z",
    by: "account",
    items: [{ account: "ci", ...item }],
    hours: [3],
  };
  const seen = async (columns: number) => {
    let text = "";
    const write = async (chunk: string | Uint8Array) => void (text += String(chunk));
    await writeUsage(report, "table", { stdout: { isTTY: true, columns, write } } as unknown as Host);
    return text.split("\n").at(-2);
  };
  expect(await seen(50)).toMatch(/0\.3$/);
  expect([...((await seen(0)) ?? "")].length).toBeLessThan(80);
  expect(await seen(0)).toMatch(/ █+$/);
});

describe("the chart", () => {
  test.each<[number[], number, string]>([
    [[], 10, ""],
    [[0, 0], 10, "  "],
    [[0, 1, 2, 4, 8], 10, " ▁▂▄█"],
    [[1000, 1], 10, "█▁"],
    [[1, 1, 1, 1, 1], 2, "▆█"],
    [[5, 5, 5, 5], 2, "██"],
    [[1], 0, "█"],
  ])("of %j in %d columns is %j", (values, width, line) => {
    expect(renderSparkline(values, width)).toBe(line);
  });

  test("is never wider than allowed", () => {
    for (let length = 1; length < 300; length += 7)
      for (const width of [1, 10, 79]) {
        const values = Array.from({ length }, (_, n) => n);
        expect([...renderSparkline(values, width)].length).toBeLessThanOrEqual(width);
      }
  });

  test.each([
    [0, 10, ""],
    [10, 10, "████"],
    [5, 10, "██"],
    [1, 10, "▍"],
    [1, 1e9, "▏"],
    [0, 0, ""],
  ])("a bar of %d in %d is %j", (value, most, bar) => {
    expect(renderBar(value, most, 4)).toBe(bar);
  });
});
