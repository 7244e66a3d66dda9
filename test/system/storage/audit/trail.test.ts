import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createAuditLog, type AuditLog } from "../../../../src/storage/audit/audit-log.ts";
import { createMemoryAudit } from "../../../../src/storage/audit/memory-audit.ts";
import { markKey } from "../../../../src/storage/redis/marker.ts";
import { drivers, optionsOf, redisOptions, sharedRedis } from "../drivers.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";
import { testRuntime } from "../../../support/runtime.ts";

const start = Date.parse("2026-11-21T12:00:00.000Z");
const entry = (n: number) => ({
  actor: "cli:ops",
  from: "build-7 pid 1",
  act: "accounts.create",
  account: `a${n}`,
  result: "begun",
});

/** A store in files, at a fixed time unless given. */
const openFolder = (path: string, now = () => start) =>
  openTestStore({ driver: "file", path, runtime: testRuntime({ now }) });

async function linesOf(trail: AuditLog): Promise<string[]> {
  const lines: string[] = [];
  for await (const { bytes } of trail.read()) lines.push(Buffer.from(bytes).toString());
  return lines;
}

/** The output of sha256sum for a line. */
const sum = (line: string): string => createHash("sha256").update(`${line}\n`).digest("hex");

describe.each(drivers)("the trail of the %s driver", (driver) => {
  test("each line has a number, a time and the hash of the line before, and anyone can recompute it", async () => {
    let time = start;
    const { store } = await openTestStore({
      ...(await optionsOf(driver)),
      runtime: testRuntime({ now: () => time }),
    });
    const trail = await store.audit();
    expect(await trail.append(entry(1))).toMatchObject({ seq: 1 });
    time += 1500;
    const head = await trail.append({ ...entry(2), target: "key_1", detail: { plan: "pro" }, of: 1 });
    const lines = await linesOf(trail);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      v: 1,
      seq: 1,
      at: "2026-11-21T12:00:00.000Z",
      ...entry(1),
      prev: "0".repeat(64),
    });
    expect(lines[1]).toBe(
      `{"v":1,"seq":2,"at":"2026-11-21T12:00:01.500Z","actor":"cli:ops","from":"build-7 pid 1","act":"accounts.create","account":"a2","target":"key_1","detail":{"plan":"pro"},"result":"begun","of":1,"prev":"${sum(lines[0] ?? "")}"}`,
    );
    expect(head).toEqual({ seq: 2, hash: sum(lines[1] ?? "") });
  });

  test("is valid, empty or not", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const trail = await store.audit();
    expect(await trail.verify()).toMatchObject({ lines: 0, faultCount: 0, head: { seq: 0 } });
    const head = await trail.append(entry(1));
    for (let n = 2; n <= 12; n++) await trail.append(entry(n));
    expect(await trail.verify()).toMatchObject({ lines: 12, faults: [], faultCount: 0, notices: [] });
    expect((await trail.verify(head)).faultCount).toBe(0);
    expect(await trail.verify({ ...head, hash: "f".repeat(64) })).toMatchObject({
      faults: [{ place: "line 1", message: expect.stringContaining("not the trail of that anchor") }],
    });
    expect((await trail.verify({ seq: 13, hash: head.hash })).faultCount).toBe(1);
  });

  test("appends concurrent additions one after another", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const trail = await store.audit();
    await Promise.all(Array.from({ length: 30 }, (_, n) => trail.append(entry(n))));
    expect(await trail.verify()).toMatchObject({ lines: 30, faultCount: 0 });
  });

  test("stores no key, and truncates long text", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    const trail = await store.audit();
    const key = `svc_live_${"a1B2".repeat(9)}xy`;
    await trail.append({
      ...entry(1),
      account: key,
      detail: { reason: `lost ${key}.`, deep: { list: [key, "x".repeat(5000)] } },
    });
    const [line = ""] = await linesOf(trail);
    expect(line).not.toContain("a1B2");
    expect(line).toContain('"reason":"lost svc_…."');
    expect(line.length).toBeLessThan(1000);
    expect((await trail.verify()).faultCount).toBe(0);
  });

  test("imports the lines of another trail unchanged, once, and only in order", async () => {
    const original = createAuditLog({
      store: createMemoryAudit(),
      runtime: testRuntime({ now: () => start }),
      onError: () => {},
    });
    for (let n = 1; n <= 5; n++) await original.append(entry(n));
    const lines = await linesOf(original);
    const { store } = await openTestStore(await optionsOf(driver));
    const copy = await store.audit();
    await expect(copy.adopt(lines[1] ?? "")).rejects.toMatchObject({ code: "storage_unavailable" });
    for (const line of lines.slice(0, 3)) expect(await copy.adopt(line)).toBe(true);
    // The next number, after another line.
    const other = createAuditLog({
      store: createMemoryAudit(),
      runtime: testRuntime({ now: () => start + 1 }),
      onError: () => {},
    });
    for (let n = 1; n <= 4; n++) await other.append(entry(n));
    await expect(copy.adopt((await linesOf(other))[3] ?? "")).rejects.toMatchObject({
      code: "storage_unavailable",
    });
    for (const line of lines) expect(await copy.adopt(line)).toBe(lines.indexOf(line) > 2);
    await expect(copy.adopt((lines[4] ?? "").replace("a5", "b5"))).rejects.toMatchObject({
      code: "storage_unavailable",
    });
    expect(await linesOf(copy)).toEqual(lines);
    await copy.append(entry(6));
    expect(await copy.verify()).toMatchObject({ lines: 6, faultCount: 0 });
  });
});

describe("tampering is detected", () => {
  type Edit = (lines: string[]) => string[];
  const swap: Edit = ([a = "", b = "", c = "", ...rest]) => [a, c, b, ...rest];
  const cases: [string, Edit, string, RegExp][] = [
    [
      "a line that was changed",
      (l) => l.with(2, (l[2] ?? "").replace("a3", "b3")),
      "4",
      /one of the two was changed/,
    ],
    [
      "the time of a line",
      (l) => l.with(2, (l[2] ?? "").replace("12:00:00.000", "12:00:00.001")),
      "4",
      /one of the two was changed/,
    ],
    ["a line that is no JSON", (l) => l.with(2, "nonsense"), "3", /not a line of an audit trail/],
    ["a line that was removed", (l) => l.toSpliced(2, 1), "3", /number 4 instead of 3/],
    ["a line that was added", (l) => l.toSpliced(2, 0, l[1] ?? ""), "3", /number 2 instead of 3/],
    ["lines that were swapped", swap, "2", /number 3 instead of 2/],
    ["a beginning that is gone", (l) => l.slice(1), "1", /number 2 instead of 1/],
    ["an end that is gone", (l) => l.slice(0, 4), "4", /2 more were written, up to number 6/],
    [
      "a last line that was changed",
      (l) => l.with(5, (l[5] ?? "").replace("a6", "b6")),
      "6",
      /hash differs from the head/,
    ],
    [
      "a line that was forged to fit what is before it",
      (l) =>
        l.with(3, (l[3] ?? "").replace("a4", "b4").replace(/"prev":"\w+"/, `"prev":"${sum(l[2] ?? "")}"`)),
      "5",
      /one of the two was changed/,
    ],
    ["everything that is gone", () => [], "the beginning", /6 more were written/],
  ];

  test.each(cases)("in a file: %s", async (_, edit, line, message) => {
    const folder = makeFolder();
    const { store } = await openFolder(folder);
    const trail = await store.audit();
    for (let n = 1; n <= 6; n++) await trail.append(entry(n));
    const file = join(folder, "audit/2026-11.jsonl");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    writeFileSync(
      file,
      edit(lines)
        .map((each) => `${each}\n`)
        .join(""),
    );
    const { faults, faultCount } = await trail.verify();
    expect(faultCount).toBeGreaterThan(0);
    expect(faults[0]).toEqual({
      place: /\d/.test(line) ? `audit/2026-11.jsonl:${line}` : line,
      message: expect.stringMatching(message),
    });
    // Another operation does not hide it, in this process or the next.
    await trail.append(entry(7));
    expect((await trail.verify()).faults[0]?.message).toBeTruthy();
    await store.close();
    const { store: next } = await openFolder(folder);
    await (await next.audit()).append(entry(8));
    expect((await (await next.audit()).verify()).faultCount).toBeGreaterThan(0);
  });

  test.each(cases)("in Redis: %s", async (_, edit, line, message) => {
    const server = await sharedRedis();
    const redis = redisOptions(server.url);
    const { store } = await openTestStore({
      driver: "redis",
      redis,
      runtime: testRuntime({ now: () => start }),
    });
    const trail = await store.audit();
    for (let n = 1; n <= 6; n++) await trail.append(entry(n));
    const list = `${redis.prefix}audit`;
    const lines = (await server.command("LRANGE", list, 0, -1)) as string[];
    await server.command("DEL", list);
    const edited = edit(lines);
    if (edited.length > 0) await server.command("RPUSH", list, ...edited);
    const { faults } = await trail.verify();
    expect(faults[0]).toEqual({
      place: /\d/.test(line) ? `${list}:${line}` : line,
      message: expect.stringMatching(message),
    });
    await trail.append(entry(7));
    expect((await trail.verify()).faultCount).toBeGreaterThan(0);
  });

  test("bytes that decode to the same text", async () => {
    const folder = makeFolder();
    const { store } = await openFolder(folder);
    const trail = await store.audit();
    await trail.append({ ...entry(1), actor: "cli:o\uFFFDs" });
    await trail.append(entry(2));
    const file = join(folder, "audit/2026-11.jsonl");
    const bytes = readFileSync(file);
    const at = bytes.indexOf("\uFFFD");
    writeFileSync(file, Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]));
    expect((await trail.verify()).faults[0]?.place).toBe("audit/2026-11.jsonl:2");
  });

  test("the note of a missing last line, with the lines that it counted", async () => {
    const folder = makeFolder();
    const { store } = await openFolder(folder);
    for (let n = 1; n <= 4; n++) await (await store.audit()).append(entry(n));
    await store.close();
    const file = join(folder, "audit/2026-11.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${lines.slice(0, 2).join("\n")}\n`);
    rmSync(join(folder, "audit/head.json"));
    const { store: next } = await openFolder(folder);
    const trail = await next.audit();
    expect((await trail.verify()).faults[0]?.message).toContain("the head stored beside the trail");
    await trail.append(entry(5));
    expect((await trail.verify()).faults).toEqual([
      { place: "audit/2026-11.jsonl:3", message: expect.stringContaining("was changed") },
    ]);
  });

  test("a whole month that is missing", async () => {
    let time = Date.parse("2026-10-31T23:59:00.000Z");
    const folder = makeFolder();
    const { store } = await openFolder(folder, () => time);
    const trail = await store.audit();
    for (let month = 0; month < 3; month++) {
      await trail.append(entry(month));
      await trail.append(entry(month));
      time += 30 * 86_400_000;
    }
    const files = ["2026-10.jsonl", "2026-11.jsonl", "2026-12.jsonl"];
    expect(readdirSync(join(folder, "audit"))).toEqual([...files, "head.json"]);
    expect((await trail.verify()).faultCount).toBe(0);
    rmSync(join(folder, "audit/2026-11.jsonl"));
    expect((await trail.verify()).faults).toEqual([
      {
        place: "audit/2026-12.jsonl:1",
        message: "has the number 5 instead of 3: lines were removed, added or moved.",
      },
    ]);
  });
});

describe("not tampering", () => {
  test("a clock that is set back does not change the order of the files", async () => {
    let time = start;
    const folder = makeFolder();
    const { store } = await openFolder(folder, () => time);
    const trail = await store.audit();
    await trail.append(entry(1));
    time -= 60 * 86_400_000;
    await trail.append(entry(2));
    expect(readdirSync(join(folder, "audit"))).toEqual(["2026-11.jsonl", "head.json"]);
    expect(await trail.verify()).toMatchObject({ lines: 2, faultCount: 0 });
  });

  test("a last line that a crash left half written is set aside, with a notice, and its number is used again", async () => {
    const folder = makeFolder();
    const { store } = await openFolder(folder);
    await (await store.audit()).append(entry(1));
    await store.close();
    const file = join(folder, "audit/2026-11.jsonl");
    appendFileSync(file, '{"v":1,"seq":2,"at":"2026-');
    const notices: string[] = [];
    const { store: next } = await openTestStore({
      driver: "file",
      path: folder,
      runtime: testRuntime({ now: () => start }),
      onNotice: (_, message) => void notices.push(message),
    });
    const trail = await next.audit();
    expect(await trail.verify()).toMatchObject({
      lines: 1,
      faultCount: 0,
      notices: [expect.stringContaining("audit/2026-11.jsonl:2 is incomplete")],
    });
    expect(await trail.append(entry(2))).toMatchObject({ seq: 2 });
    expect(await trail.verify()).toMatchObject({ lines: 2, faultCount: 0, notices: [] });
    expect(notices).toEqual([expect.stringContaining("audit/2026-11.jsonl was incomplete")]);
    expect(JSON.parse(readFileSync(join(folder, "audit/torn.txt"), "utf8"))).toMatchObject({
      file: "2026-11.jsonl",
      text: '{"v":1,"seq":2,"at":"2026-',
    });
  });

  test("a last line that was cut off is not mistaken for one that a crash left", async () => {
    const folder = makeFolder();
    const { store } = await openFolder(folder);
    for (let n = 1; n <= 2; n++) await (await store.audit()).append(entry(n));
    await store.close();
    const file = join(folder, "audit/2026-11.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -20));
    const { store: next } = await openFolder(folder);
    expect((await (await next.audit()).verify()).faults[0]?.message).toContain("1 more were written");
  });

  test("an obstacle is named by its path", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "audit"), "in the way");
    const { store } = await openTestStore({ driver: "file", path: folder });
    await expect((await store.audit()).append(entry(1))).rejects.toMatchObject({
      code: "storage_unavailable",
      cause: { reason: `${join(folder, "audit")} is not a folder. Choose a folder with storage.path.` },
    });
    await expect((await store.audit()).verify()).rejects.toMatchObject({ code: "storage_unavailable" });
  });

  test("files and folder are accessible only to their owner", async () => {
    const folder = makeFolder();
    const { store } = await openFolder(folder);
    await (await store.audit()).append(entry(1));
    const modes = ["audit", "audit/2026-11.jsonl", "audit/head.json"].map((name) =>
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(["700", "600", "600"]);
  });
});

test("two stores on one Redis write one trail", async () => {
  const server = await sharedRedis();
  const redis = redisOptions(server.url);
  const trails = await Promise.all(
    Array.from({ length: 3 }, async () => (await openTestStore({ driver: "redis", redis })).store.audit()),
  );
  await Promise.all(trails.flatMap((trail) => Array.from({ length: 15 }, (_, n) => trail.append(entry(n)))));
  for (const trail of trails) expect(await trail.verify()).toMatchObject({ lines: 45, faultCount: 0 });
});

test("an emptied Redis does not start a new trail as if there had been none", async () => {
  const server = await sharedRedis();
  const redis = redisOptions(server.url);
  const { store } = await openTestStore({ driver: "redis", redis });
  const trail = await store.audit();
  await trail.append(entry(1));
  await server.command("DEL", `${redis.prefix}audit`, `${redis.prefix}audit:head`, markKey(redis.prefix));
  await expect(trail.append(entry(2))).rejects.toMatchObject({
    code: "storage_unavailable",
    cause: { reason: expect.stringContaining("was emptied") },
  });
});
