import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyStore, type CopyReport } from "../../../../src/services/transfer/copy.ts";
import { type KindName, kinds } from "../../../../src/services/transfer/kinds.ts";
import type { Parts } from "../../../../src/services/transfer/parts.ts";
import { refusalOf } from "../../../unit/services/setup.ts";
import { drivers, optionsOf } from "../../storage/drivers.ts";
import { account, key } from "../../../support/records.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";
import { flip } from "../../../support/stored-records.ts";
import { contents, fill, keyId, partsOf } from "./fill.ts";

const numbers = ({ items }: CopyReport, field: "total" | "written" | "removed" | "kept" | "skipped") =>
  Object.fromEntries(items.map((item) => [item.kind, item[field]]));
const none = { key: 0, endpoint: 0, inbox: 0, account: 0, window: 0, usage: 0, use: 0, audit: 0 };
const all = { key: 70, endpoint: 2, inbox: 1, account: 2, window: 2, usage: 6, use: 2, audit: 5 };

const ways = Array.from({ length: drivers.length }, (_, shift) =>
  drivers.map((from, at) => [from, drivers[(at + shift + 1) % drivers.length] ?? from] as const),
).flat();

describe.each(ways)("from %s to %s", (from, to) => {
  test("everything is copied, a second run has nothing to do, and the source is unchanged", async () => {
    const [{ store: source }, { store: target }] = [
      await openTestStore(await optionsOf(from)),
      await openTestStore(await optionsOf(to)),
    ];
    await fill(source);
    const [left, right] = [partsOf(source), partsOf(target)];
    const before = await contents(left);
    const first = await copyStore({ from: left, to: right, force: false });
    expect(numbers(first, "total")).toEqual(all);
    expect(numbers(first, "written")).toEqual(all);
    expect(first).toMatchObject({ damaged: [], verified: true });
    expect(await contents(right)).toEqual(before);
    expect(await contents(left)).toEqual(before);
    expect((await (await target.audit()).verify()).faults).toEqual([]);
    // The counters continue.
    expect(await target.counters.consume("account:acme", 1)).toMatchObject({ used: 42 });
    await target.counters.giveBack("account:acme", 1);

    const second = await copyStore({ from: left, to: right, force: false });
    expect(numbers(second, "written")).toEqual(none);
  });
});

test("a run that was aborted at any write is finished by the next", async () => {
  const { store: source } = await openTestStore();
  await fill(source, 200);
  const from = partsOf(source);
  const wanted = await contents(from);
  for (const writes of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const { store } = await openTestStore();
    const to = partsOf(store);
    let left = writes;
    const failing = Object.fromEntries(
      Object.entries(to).map(([kind, part]) => [
        kind,
        {
          ...part,
          write: async (changes: never) => {
            if (left-- <= 0) throw new Error("killed");
            return part.write(changes);
          },
        },
      ]),
    ) as unknown as Parts;
    await expect(copyStore({ from, to: failing, force: false })).rejects.toThrow("killed");
    await copyStore({ from, to, force: false });
    expect(await contents(to)).toEqual(wanted);
  }
});

describe("a target with other content", () => {
  const cases: [
    string,
    KindName,
    (parts: Awaited<ReturnType<typeof openTestStore>>["store"]) => Promise<unknown>,
  ][] = [
    ["a key of its own", "key", (store) => store.keys.set("f".repeat(20), key("f".repeat(20)))],
    ["another record of a key", "key", (store) => store.keys.set(keyId(7), key(keyId(7), { name: "else" }))],
    ["an account of its own", "account", (store) => store.accounts.set("mine", account("mine"))],
    ["another plan", "account", (store) => store.accounts.set("acme", account("acme"))],
  ];
  test.each(cases)("%s: refused and untouched, and like the source with --force", async (_, kind, change) => {
    const [{ store: source }, { store: target }] = [await openTestStore(), await openTestStore()];
    await fill(source);
    await change(target);
    const [from, to] = [partsOf(source), partsOf(target)];
    const before = await contents(to);
    const { code, message } = await refusalOf(() => copyStore({ from, to, force: false }));
    expect(code).toBe("invalid_input");
    expect(message).toMatch(new RegExp(`: ${kind}: 1 .*Nothing was written.*--force`));
    expect(await contents(to)).toEqual(before);
    await copyStore({ from, to, force: true });
    expect(await contents(to)).toEqual(await contents(from));
  });

  test("another audit trail is a refusal, and is not rewritten even with --force", async () => {
    const [{ store: source }, { store: target }] = [await openTestStore(), await openTestStore()];
    await fill(source);
    await (await target.audit()).append({ actor: "cli:else", from: "there", act: "x", result: "done" });
    const [from, to] = [partsOf(source), partsOf(target)];
    const trail = (await contents(to)).audit;
    expect((await refusalOf(() => copyStore({ from, to, force: false }))).message).toContain(
      "audit: 1 that differ",
    );
    const report = await copyStore({ from, to, force: true });
    expect(numbers(report, "skipped")).toEqual({ ...none, audit: 5 });
    expect((await contents(to)).audit).toEqual(trail);
    expect((await contents(to)).key).toEqual((await contents(from)).key);
  });

  test("a trail that continues the source's own is the same trail", async () => {
    const [{ store: source }, { store: target }] = [await openTestStore(), await openTestStore()];
    await fill(source);
    const [from, to] = [partsOf(source), partsOf(target)];
    await copyStore({ from, to, force: false });
    await (await target.audit()).append({ actor: "cli:test", from: "here", act: "migrate", result: "done" });
    const again = await copyStore({ from, to, force: false });
    expect(numbers(again, "written")).toEqual(none);
    expect(numbers(again, "kept")).toEqual({ ...none, audit: 1 });
  });

  test("its own counts and usage do not prevent a copy: those of the source win", async () => {
    const [{ store: source }, { store: target }] = [await openTestStore(), await openTestStore()];
    await fill(source);
    await target.counters.consume("account:acme", 900);
    await target.counters.consume("ip:1", 9);
    const [from, to] = [partsOf(source), partsOf(target)];
    const report = await copyStore({ from, to, force: false });
    expect(numbers(report, "kept")).toEqual({ ...none, window: 1 });
    expect(await target.counters.peek("account:acme")).toMatchObject({ used: 41 });
    expect(await target.counters.peek("ip:1")).toMatchObject({ used: 9 });
  });
});

test("damaged records of the source are reported and skipped, and replace no good copy", async () => {
  const folder = makeFolder();
  const { store: whole } = await openTestStore({ driver: "file", path: folder });
  const { store: target } = await openTestStore();
  await fill(whole);
  const to = partsOf(target);
  await copyStore({ from: partsOf(whole), to, force: false });
  await whole.close();
  flip(folder, `keys:${keyId(3)}`);
  const { store: source } = await openTestStore({ driver: "file", path: folder });
  const from = partsOf(source);
  const report = await copyStore({ from, to, force: true });
  expect(report.damaged).toEqual([expect.stringContaining(`keys/${keyId(3)} is damaged`)]);
  expect(numbers(report, "total")).toEqual(all);
  expect(await target.keys.get(keyId(3))).toBeDefined();
});

test("a key that was revoked in the target stays revoked, and does not prevent a copy", async () => {
  const [{ store: source }, { store: target }] = [await openTestStore(), await openTestStore()];
  await source.keys.set(keyId(1), key(keyId(1), { name: "from the source" }));
  const revoked = { revokedAt: "2026-11-21T01:00:00.000Z", revokeReason: "leaked" };
  await target.keys.set(keyId(1), key(keyId(1), { name: "from the source", ...revoked }));
  const copied = await copyStore({ from: partsOf(source), to: partsOf(target), force: false });
  expect(copied).toMatchObject({ verified: true });
  expect(numbers(copied, "written")).toEqual(none);
  await target.keys.change(keyId(1), (record) => ({ ...record, name: "other" }));
  expect(await copyStore({ from: partsOf(source), to: partsOf(target), force: true })).toMatchObject({
    verified: true,
  });
  expect(await target.keys.get(keyId(1))).toEqual(key(keyId(1), { name: "from the source", ...revoked }));
});

test("the incarnation of an account is copied, with what belongs to it and its count", async () => {
  const [{ store: source }, { store: target }] = [await openTestStore(), await openTestStore()];
  const incarnation = "0123456789abcdef";
  await source.accounts.set("acme", account("acme", { incarnation }));
  await source.keys.set(keyId(1), key(keyId(1), { incarnation }));
  await source.counters.consume(`account:acme:${incarnation}`, 3);
  await copyStore({ from: partsOf(source), to: partsOf(target), force: false });
  expect(await target.accounts.get("acme")).toEqual(account("acme", { incarnation }));
  expect(await target.keys.get(keyId(1))).toEqual(key(keyId(1), { incarnation }));
  expect(await target.counters.peek(`account:acme:${incarnation}`)).toMatchObject({ used: 3 });
  const window = { id: `account:acme:${incarnation}`, used: 3, resetAt: "2026-11-21T01:00:00.000Z" };
  expect(kinds.window.parse(window, 0)?.id).toBe(window.id);
});

test("a target that knows a later use of a key keeps it", async () => {
  const [{ store: source }, { store: target }] = [await openTestStore(), await openTestStore()];
  await fill(source);
  const [from, to] = [partsOf(source), partsOf(target)];
  const id = `key_${keyId(1)}`;
  const later = (29_000_000 + 9) * 60_000;
  await (await target.keyUses()).put(new Map([[id, later]]));
  const report = await copyStore({ from, to, force: false });
  expect(report).toMatchObject({ verified: true });
  expect((await (await target.keyUses()).read([id])).last).toEqual(new Map([[id, later]]));
  expect(numbers(report, "written")).toEqual({ ...all, use: 1 });
});

test("a source that keeps changing is reported, not copied half", async () => {
  const [{ store: source }, { store: target }] = [await openTestStore(), await openTestStore()];
  await fill(source);
  const [from, to] = [partsOf(source), partsOf(target)];
  let n = 0;
  const restless: Parts = {
    ...from,
    account: {
      ...from.account,
      async *entries() {
        await source.accounts.set("acme", account("acme", { plan: "team", limit: 10_000 + n++ }));
        yield* from.account.entries();
      },
    },
  };
  await expect(copyStore({ from: restless, to, force: true })).rejects.toThrow(
    "keeps changing while it is copied (account)",
  );
});

test("a store opened for reading is not changed by a byte", async () => {
  const folder = makeFolder();
  const { store } = await openTestStore({ driver: "file", path: folder });
  await fill(store);
  await store.close();
  // The remains of a crash are repaired by the process that opens it for writing.
  writeFileSync(join(folder, "store.db.tmp"), "half");
  writeFileSync(
    join(folder, "audit", readdirSync(join(folder, "audit")).find((name) => name.endsWith(".jsonl")) ?? ""),
    '{"v":1',
    { flag: "a" },
  );
  const digest = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^(?:lock|owner\.json)/.test(entry.name))
      .map((entry) => [
        join(entry.parentPath, entry.name),
        readFileSync(join(entry.parentPath, entry.name), "latin1"),
      ]);
  const before = digest();
  const { store: source } = await openTestStore({ driver: "file", path: folder, readOnly: true });
  const { store: target } = await openTestStore();
  const report = await copyStore({ from: partsOf(source), to: partsOf(target), force: false });
  expect(numbers(report, "written")).toEqual(all);
  await source.close();
  expect(digest()).toEqual(before);
  await expect(openTestStore({ driver: "file", path: join(folder, "keys"), readOnly: true })).rejects.toThrow(
    "There is no store in",
  );
});

test("a store of an older release, which had no endpoints and inboxes, is read unchanged", async () => {
  const folder = makeFolder();
  for (const name of ["accounts", "keys"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "accounts", "acme.json"), JSON.stringify(account("acme")));
  const { store: old } = await openTestStore({ driver: "file", path: folder, readOnly: true });
  const { store: target } = await openTestStore();
  const report = await copyStore({ from: partsOf(old), to: partsOf(target), force: false });
  expect(report).toMatchObject({ verified: true, damaged: [] });
  expect(await old.endpoints.get("0".repeat(24))).toBeUndefined();
  await expect(old.deliveries()).rejects.toThrow("opened read-only");
  expect(await old.accounts.get("acme")).toEqual(account("acme"));
  expect(readdirSync(folder).toSorted()).toEqual(["accounts", "keys", "lock", "owner.json"]);
});
