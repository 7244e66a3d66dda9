import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { toBackupText, type Written } from "../../../../src/services/transfer/backup-file.ts";
import { createBackups } from "../../../../src/services/transfer/backup.ts";
import { copyStore } from "../../../../src/services/transfer/copy.ts";
import { readBackup } from "../../../../src/services/transfer/read-backup.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { amount, cases } from "../../../support/cases.ts";
import { createRandom } from "../../../unit/services/setup.ts";
import { drivers, optionsOf } from "../../storage/drivers.ts";
import { account, key } from "../../../support/records.ts";
import { openTestStore } from "../../../support/store.ts";
import { contents, fill, keyId, partsOf } from "./fill.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** `between` runs before each page but the first. */
async function backUp(
  store: Store,
  between?: () => Promise<unknown>,
): Promise<{ text: string; written: Written }> {
  const backups = createBackups({
    store,
    runtime: testRuntime({ now: Date.now, random: createRandom() }),
    release: "1.2.3",
    linesAtOnce: 100,
  });
  const { id, header } = backups.begin();
  const written: Partial<Written> = {};
  let text = "";
  let pages = 0;
  const next = async () => {
    if (pages++ > 0) await between?.();
    const page = await backups.next(id);
    if (page === undefined) throw new Error("the backup ended too early");
    return page;
  };
  for await (const piece of toBackupText({ header, next }, written)) text += piece;
  expect(await backups.next(id)).toBeUndefined();
  return { text, written: written as Written };
}

const read = (text: string | Uint8Array, now = Date.now()) =>
  readBackup({
    name: "b.jsonl",
    now,
    async *open() {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777);
    },
  });

/** The same entries with a last line that matches them. */
function seal(lines: readonly string[], counts: Record<string, number>): string {
  const body = lines.map((line) => `${line}\n`).join("");
  const sha256 = createHash("sha256").update(body).digest("hex");
  return `${body}${JSON.stringify({ end: { counts, sha256 } })}\n`;
}

describe.each(drivers)("of the %s store", (driver) => {
  test("everything is restored, into every store", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    await fill(store, 110);
    const { text, written } = await backUp(store);
    expect(written).toMatchObject({
      damaged: [],
      counts: { key: 110, endpoint: 2, inbox: 1, account: 2, window: 2, usage: 6, audit: 5 },
      header: {
        penknife: "backup",
        v: 1,
        release: "1.2.3",
        driver: driver === "file" || driver === "memory" ? driver : "redis",
      },
    });
    for (const kept of ["ses_", "login_", "session:"]) expect(text).not.toContain(kept);
    // Each store once as a source and once as a target: what lies between them is the same text.
    const wanted = await contents(partsOf(store));
    for (const to of driver === "file" ? drivers : (["file"] as const)) {
      const { store: target } = await openTestStore(await optionsOf(to));
      const { sources } = await read(text);
      await copyStore({ from: sources, to: partsOf(target), force: false });
      expect(await contents(partsOf(target))).toEqual(wanted);
    }
  }, 120_000);

  test("while it is in use: every key of the beginning, its account, and the successor of a key that was rotated", async () => {
    const { store } = await openTestStore(await optionsOf(driver));
    await fill(store, 210);
    let n = 0;
    const { text } = await backUp(store, async () => {
      // A new account and key, and one of the last keys replaced by another new one.
      await store.accounts.set(`new-${n}`, account(`new-${n}`));
      const [fresh, successor, old] = [`${"e".repeat(18)}0${n}`, `${"8".repeat(18)}0${n}`, keyId(200 + n)];
      await store.keys.set(fresh, key(fresh, { account: `new-${n}` }));
      await store.keys.set(successor, key(successor, { rotatedFrom: `key_${old}` }));
      await store.keys.set(
        old,
        key(old, { revokedAt: "2026-11-21T02:00:00.000Z", rotatedTo: `key_${successor}` }),
      );
      n += 1;
    });
    expect(n).toBeGreaterThan(1);
    const { store: target } = await openTestStore();
    await copyStore({ from: (await read(text)).sources, to: partsOf(target), force: false });
    const { records } = await target.keys.all();
    const ids = new Set(records.map(({ id }) => id));
    const owners = new Set((await target.accounts.all()).records.map(({ name }) => name));
    for (let i = 0; i < 210; i++) expect(ids).toContain(`key_${keyId(i)}`);
    let rotated = 0;
    for (const { rotatedTo, account: owner } of records) {
      expect(owners).toContain(owner);
      if (rotatedTo === undefined) continue;
      expect(ids).toContain(rotatedTo);
      rotated += 1;
    }
    expect(rotated).toBeGreaterThan(0);
  }, 120_000);
});

describe("a file that is not a whole backup", () => {
  const open = async () => {
    const { store } = await openTestStore();
    await fill(store, 20);
    return (await backUp(store)).text;
  };

  test("cut off anywhere: refused as torn", async () => {
    const text = Buffer.from(await open());
    const lines = text.reduce<number[]>((ends, byte, at) => (byte === 10 ? [...ends, at + 1] : ends), []);
    const parts = amount(16);
    const cuts = [
      ...cases(lines.slice(0, -1)),
      ...Array.from({ length: parts }, (_, n) => Math.floor((n * text.length) / parts)),
      text.length - 2,
    ];
    for (const cut of new Set(cuts)) {
      const pattern =
        cut === 0 ? /it is empty/ : cut < (lines[0] ?? 0) ? /not a penknife backup|incomplete/ : /incomplete/;
      await expect(read(text.subarray(0, cut)), String(cut)).rejects.toThrow(pattern);
    }
  });

  test("one byte changed anywhere: refused", async () => {
    const text = Buffer.from(await open());
    for (const at of cases(Array.from({ length: text.length - 4 }, (_, index) => index + 3))) {
      const changed = Buffer.from(text);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(read(changed), String(at)).rejects.toThrow(
        /^b\.jsonl cannot be restored: .*Nothing was written\.$/s,
      );
    }
  });

  const header =
    '{"penknife":"backup","v":1,"release":"9.9.9","createdAt":"2026-11-21T00:00:00.000Z","driver":"file"}';
  // As releases without endpoints and inboxes counted.
  const noCounts = { key: 0, account: 0, window: 0, usage: 0, audit: 0 };
  const line = (name: string) => JSON.stringify({ account: account(name) });
  test.each<[string, string, RegExp]>([
    ["nothing", "", /it is empty/],
    ["a page of HTML", "<html>\n</html>\n", /it is not a penknife backup/],
    ["another JSON", '{"a":1}\n', /it is not a penknife backup/],
    [
      "a newer version",
      seal([header.replace('"v":1', '"v":2')], noCounts),
      /newer release of penknife \(version 2, this one reads 1\)/,
    ],
    [
      "a kind of a later release",
      seal([header, '{"session":{}}'], noCounts),
      /line 2 is of an unknown kind; restore with the release that wrote it \(9\.9\.9\)/,
    ],
    [
      "a record of a later release",
      seal([header, line("a").replace('"v":1', '"v":2')], { ...noCounts, account: 1 }),
      /line 2 is not a account of this release/,
    ],
    [
      "a record with one field more",
      seal([header, line("a").replace('"v":1', '"v":1,"x":2')], { ...noCounts, account: 1 }),
      /line 2 is not a account/,
    ],
    [
      "two things on a line",
      seal([header, line("a").replace(/\}$/, ',"x":1}')], { ...noCounts, account: 1 }),
      /line 2 is not a account/,
    ],
    [
      "the same twice",
      seal([header, line("a"), line("a")], { ...noCounts, account: 2 }),
      /line 3 repeats an entry/,
    ],
    [
      "the same twice, late",
      seal([header, line("b"), line("a"), line("a")], { ...noCounts, account: 3 }),
      /line 4 repeats an entry/,
    ],
    [
      "other numbers",
      seal([header, line("a")], { ...noCounts, account: 2 }),
      /does not match the number of its entries/,
    ],
    ["more after its end", `${seal([header], noCounts)}${line("a")}\n`, /there is data after its last line/],
    [
      "two of them",
      `${seal([header], noCounts)}${seal([header], noCounts)}`,
      /there is data after its last line/,
    ],
    [
      "a line without an end",
      `${header}\n{"key":"${"x".repeat(2_000_000)}`,
      /a line that is too long for a backup/,
    ],
    [
      "a window of another shape",
      seal([header, '{"window":{"id":"ip:1","used":-4,"resetAt":"2026-11-21T00:00:00.000Z"}}'], {
        ...noCounts,
        window: 1,
      }),
      /line 2 is not a window/,
    ],
    [
      "a name that leads elsewhere",
      seal([header, line("../etc/x")], { ...noCounts, account: 1 }),
      /line 2 is not a account/,
    ],
  ])("%s", async (_, text, pattern) => {
    await expect(read(text)).rejects.toThrow(pattern);
  });
});

test("windows that are over are skipped, and one that would end too late ends in an hour", async () => {
  const { store } = await openTestStore();
  await store.counters.consume("account:acme", 5);
  await store.counters.consume("ip:1", 5);
  const { text } = await backUp(store);
  const hour = 3_600_000;
  for (const [at, wanted] of [
    [hour + 1000, 0],
    [-hour, 2],
  ] as const) {
    const now = () => Date.now() + at;
    const { store: target } = await openTestStore({ runtime: testRuntime({ now }) });
    const report = await copyStore({
      from: (await read(text, now())).sources,
      to: partsOf(target, now),
      force: false,
    });
    expect(report.items.find(({ kind }) => kind === "window")).toMatchObject({
      total: wanted,
      written: wanted,
    });
    const left = ((await target.counters.peek("ip:1"))?.resetAt ?? now()) - now();
    expect(left).toBeLessThanOrEqual(hour);
  }
});

test("an abandoned backup is forgotten, and there are at most four at a time", async () => {
  let now = Date.now();
  const { store } = await openTestStore();
  await fill(store, 20);
  const backups = createBackups({
    store,
    runtime: testRuntime({ now: () => now, random: createRandom() }),
    release: "1",
  });
  const first = backups.begin().id;
  now += 300_001;
  const ids = [1, 2, 3, 4].map(() => backups.begin().id);
  expect(await backups.next(first)).toBeUndefined();
  for (const id of ids) expect(await backups.next(id)).toMatchObject({ done: true });
});
