import { describe, expect, test } from "vitest";
import { belongingTo } from "../../../../src/services/access/incarnation.ts";
import type { Caller } from "../../../../src/services/audit/caller.ts";
import { parseCaller, unknownCaller } from "../../../../src/services/audit/caller.ts";
import type { AuditNews } from "../../../../src/services/audit/recorder.ts";
import type { AuditView } from "../../../../src/services/audit/list.ts";
import { createAuditLog } from "../../../../src/storage/audit/audit-log.ts";
import { type AuditLine, parseAuditLine } from "../../../../src/storage/audit/line.ts";
import { createMemoryAudit } from "../../../../src/storage/audit/memory-audit.ts";
import { StoreError } from "../../../../src/storage/errors.ts";
import { createAdmin } from "../../../../src/operations/admin.ts";
import { loadOperations } from "../../../../src/operations/index.ts";
import type { Store } from "../../../../src/storage/storage.ts";
import { createServices, day, refusalOf, start } from "../setup.ts";
import { testRuntime } from "../../../support/runtime.ts";

const operations = await loadOperations();

const ops: Caller = { actor: "cli:ops", from: "build-7 pid 1" };

async function linesOf(store: Pick<Store, "audit">): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for await (const { bytes } of (await store.audit()).read()) {
    const line = parseAuditLine(Buffer.from(bytes).toString());
    if (line !== undefined) lines.push(line);
  }
  return lines;
}

/** A store with an account and two keys, whose trail is as it was before the operation under test. */
async function createTest() {
  const services = await createServices();
  const { admin, store } = services;
  await admin.call("accounts.create", { name: "ci", plan: "pro" });
  const issued = (await admin.call("keys.issue", { account: "ci", name: "gitlab" })) as {
    id: string;
    key: string;
  };
  const other = (await admin.call("keys.issue", { account: "ci", expires: "90d" })) as {
    id: string;
    key: string;
  };
  const before = (await linesOf(store)).length;
  return {
    ...services,
    issued,
    other,
    act: (operation: string, args: object) => admin.perform(operation, args, ops),
    news: async () =>
      (await linesOf(store)).slice(before).map(({ v: _v, seq: _seq, prev: _prev, ...line }) => line),
  };
}

const at = "2026-11-21T12:00:00.000Z";
const who = { at, ...ops };

describe("each operation has two lines: what was requested, and what has changed", () => {
  test("accounts", async () => {
    const { act, news } = await createTest();
    await act("accounts.create", { name: "farm", plan: "team", limit: 50_000 });
    await act("accounts.set", { name: "farm", limit: 60_000 });
    await act("accounts.disable", { name: "farm" });
    await act("accounts.enable", { name: "farm" });
    await act("accounts.delete", { name: "farm" });
    const farm = (act_: string) => ({ ...who, act: act_, account: "farm" });
    const change = (before: unknown, after: unknown) => ({ before, after });
    expect(await news()).toEqual([
      { ...farm("accounts.create"), detail: { plan: "team", limit: 50_000 }, result: "begun" },
      {
        ...farm("accounts.create"),
        detail: { plan: change(null, "team"), limit: change(null, 50_000), disabled: change(null, false) },
        result: "done",
        of: 7,
      },
      { ...farm("accounts.set"), detail: { limit: 60_000 }, result: "begun" },
      { ...farm("accounts.set"), detail: { limit: change(50_000, 60_000) }, result: "done", of: 9 },
      { ...farm("accounts.disable"), result: "begun" },
      { ...farm("accounts.disable"), detail: { disabled: change(false, true) }, result: "done", of: 11 },
      { ...farm("accounts.enable"), result: "begun" },
      { ...farm("accounts.enable"), detail: { disabled: change(true, false) }, result: "done", of: 13 },
      { ...farm("accounts.delete"), result: "begun" },
      {
        ...farm("accounts.delete"),
        detail: { plan: change("team", null), limit: change(60_000, null), disabled: change(false, null) },
        result: "done",
        of: 15,
      },
    ]);
  });

  test("keys: the id of the new one, of the old and the new one, and of one that was passed as a key", async () => {
    const { act, news, issued, other } = await createTest();
    const made = (await act("keys.issue", { account: "ci", name: "new" })) as { id: string };
    const rotated = (await act("keys.rotate", { id: issued.id, grace: "1h" })) as { id: string };
    await act("keys.revoke", { id: other.key, reason: "leaked" });
    const [, issue, , rotate, begun, revoke] = await news();
    expect(issue).toMatchObject({
      act: "keys.issue",
      account: "ci",
      target: made.id,
      detail: { name: { before: null, after: "new" } },
      result: "done",
    });
    expect(rotate).toMatchObject({
      act: "keys.rotate",
      account: "ci",
      target: issued.id,
      detail: {
        expiresAt: { before: null, after: "2026-11-21T13:00:00.000Z" },
        rotatedTo: { before: null, after: rotated.id },
        issued: { id: rotated.id, name: "gitlab" },
      },
      result: "done",
    });
    expect(begun).toMatchObject({
      account: "ci",
      target: other.id,
      detail: { reason: "leaked" },
      result: "begun",
    });
    expect(revoke).toMatchObject({
      target: other.id,
      detail: { revokedAt: { before: null, after: at }, revokeReason: { before: null, after: "leaked" } },
      result: "done",
    });
  });

  test.each([
    ["keys.revokeAll", { account: "ci", reason: "gone" }],
    ["accounts.delete", { name: "ci", revokeKeys: true }],
    ["accounts.set", { name: "ci", plan: "free", revokeKeys: true }],
  ])("%s records which keys", async (operation, args) => {
    const { act, news, issued, other } = await createTest();
    await act(operation, args);
    const [, done] = await news();
    const { before, after } = (done?.detail ?? {})["liveKeys"] as { before: string[]; after: string[] };
    expect([before.toSorted(), after]).toEqual([[issued.id, other.id].toSorted(), []]);
  });

  test("a quota reset records the count that it cleared", async () => {
    const { act, news, limits, accounts } = await createTest();
    const caller = belongingTo(await accounts.get("ci"));
    for (let n = 0; n < 7; n++) await limits.consume({ kind: "key", ...caller, plan: "pro" });
    await act("limits.reset", { account: "ci" });
    expect((await news())[1]).toMatchObject({
      act: "limits.reset",
      account: "ci",
      detail: { used: { before: 7, after: 0 } },
      result: "done",
    });
  });

  test("read-only operations have no lines", async () => {
    const { act, news, issued } = await createTest();
    await act("accounts.list", {});
    await act("accounts.show", { name: "ci" });
    await act("keys.list", {});
    await act("keys.show", { id: issued.id });
    await act("keys.check", { key: issued.key });
    await act("usage", {});
    await act("usage.history", {});
    await act("audit.list", {});
    await act("audit.verify", {});
    expect(await news()).toEqual([]);
  });

  test("every operation either only reads or writes its lines", () => {
    const acts = operations.filter(({ kind }) => kind !== "reads").map(({ name }) => name);
    expect(acts).toEqual(
      expect.arrayContaining([
        "accounts.create",
        "accounts.set",
        "accounts.disable",
        "accounts.enable",
        "accounts.delete",
        "keys.issue",
        "keys.rotate",
        "keys.revoke",
        "keys.revokeAll",
        "limits.reset",
      ]),
    );
  });
});

describe("an operation that is refused", () => {
  test.each<[string, object, object, string]>([
    ["keys.issue", { account: "nobody" }, { account: "nobody" }, "not_found"],
    ["accounts.create", { name: "ci", plan: "pro" }, { account: "ci" }, "invalid_input"],
    ["accounts.set", { name: "ci", plan: "free" }, { account: "ci" }, "invalid_input"],
    ["keys.rotate", { id: "key_00000000000000000000" }, { target: "key_00000000000000000000" }, "not_found"],
    ["keys.revoke", { id: "half-a-key" }, {}, "not_found"],
  ])("%s %j", async (operation, args, about, code) => {
    const { act, news } = await createTest();
    expect((await refusalOf(() => act(operation, args))).code).toBe(code);
    const lines = await news();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toEqual({ ...who, act: operation, ...about, result: code, of: 7 });
    expect(JSON.stringify(lines)).not.toContain("half-a-key");
  });

  test("stores neither a key in the wrong field, nor its hash", async () => {
    const { act, store, issued } = await createTest();
    for (const args of [
      { id: issued.id, reason: `was ${issued.key}` },
      { id: `${issued.key}x` },
      { id: issued.key.slice(0, 30) },
    ])
      await refusalOf(() => act("keys.revoke", args));
    await refusalOf(() => act("keys.issue", { account: issued.key.slice(0, 40) }));
    for (const name of [issued.key, issued.key.toLowerCase(), "Half-A-Key"])
      await refusalOf(() => act("accounts.create", { name, plan: "pro" }));
    await act("keys.revoke", { id: issued.key });
    const text = JSON.stringify(await linesOf(store));
    const hash = (await store.keys.get(issued.id.slice(4)))?.hash ?? "";
    expect(text).toContain("svc_…");
    expect(text).not.toContain(issued.key.slice(9, 20));
    expect(text).not.toContain(hash);
    expect(text.toLowerCase()).not.toContain("half-a-key");
  });

  test("before it starts, because its fields are invalid, leaves no line", async () => {
    const { act, news } = await createTest();
    await refusalOf(() => act("accounts.create", { name: "x", plan: "gold" }));
    await refusalOf(() => act("accounts.explode", {}));
    expect(await news()).toEqual([]);
  });
});

test("the end of each operation is logged with number and hash, as an anchor", async () => {
  const services = await createServices();
  const news: AuditNews[] = [];
  const admin = createAdmin({
    ...services,
    runtime: testRuntime({ now: () => start }),
    onAct: (one) => void news.push(one),
  });
  await admin.call("accounts.create", { name: "ci", plan: "pro" }, ops);
  const { id } = (await admin.call("keys.issue", { account: "ci" }, ops)) as { id: string };
  await refusalOf(() => admin.call("keys.rotate", { id: "key_00000000000000000000" }, ops));
  await admin.call("keys.list", {}, ops);
  expect(news.map(({ hash: _hash, ...shown }) => shown)).toEqual([
    { act: "accounts.create", account: "ci", result: "done", actor: "cli:ops", seq: 2 },
    { act: "keys.issue", account: "ci", target: id, result: "done", actor: "cli:ops", seq: 4 },
    { act: "keys.rotate", target: "key_00000000000000000000", result: "not_found", actor: "cli:ops", seq: 6 },
  ]);
  for (const { seq, hash } of news)
    expect(await admin.call("audit.verify", { anchor: { seq, hash } })).toMatchObject({ faultCount: 0 });
});

describe("a trail that cannot be written", () => {
  /** Fails from the given line on. */
  async function createFailing(from: number) {
    const services = await createServices();
    const store = createMemoryAudit();
    const log = createAuditLog({
      store: {
        ...store,
        async add(line, head, next) {
          if (next.seq >= from) throw new StoreError("write", "The disk is full.");
          return store.add(line, head, next);
        },
      },
      runtime: testRuntime({ now: () => start }),
      onError: () => {},
    });
    const admin = createAdmin({
      ...services,
      runtime: testRuntime({ now: () => start }),
      store: { ...services.store, audit: async () => log },
    });
    return { ...services, admin };
  }

  test("prevents the operation", async () => {
    const { admin, store } = await createFailing(1);
    const refused = admin.call("accounts.create", { name: "ci", plan: "pro" }, ops);
    await expect(refused).rejects.toMatchObject({
      code: "storage_unavailable",
      cause: { reason: "The disk is full." },
    });
    expect(await store.accounts.ids()).toEqual([]);
  });

  test("after the operation, gives an error that says it was carried out, and lists it as unfinished", async () => {
    const { admin, store } = await createFailing(2);
    await expect(admin.call("accounts.create", { name: "ci", plan: "pro" }, ops)).rejects.toMatchObject({
      code: "storage_unavailable",
      cause: {
        reason:
          "accounts.create was carried out, but its end could not be written to the audit trail (line 1 has its beginning): The disk is full.",
      },
    });
    expect(await store.accounts.ids()).toEqual(["ci"]);
    const { items } = (await admin.call("audit.list", {})) as { items: AuditView[] };
    expect(items).toMatchObject([
      { seq: 1, act: "accounts.create", result: "unfinished", detail: { plan: "pro" } },
    ]);
  });

  test("after a key was issued, gives an error that says the key was not shown", async () => {
    const { admin, store } = await createFailing(4);
    await admin.call("accounts.create", { name: "ci", plan: "pro" }, ops);
    const refused = admin.call("keys.issue", { account: "ci" }, ops);
    const { cause } = (await refused.catch((error: unknown) => error)) as { cause: { reason: string } };
    const [id] = await store.keys.ids();
    expect(cause.reason).toMatch(/^keys\.issue was carried out, .*: The disk is full\./);
    expect(cause.reason).toContain(
      `The new key key_${id} was not shown to anybody: revoke it and issue another.`,
    );
  });

  test("leaves a refusal unchanged", async () => {
    const { admin } = await createFailing(2);
    expect((await refusalOf(() => admin.call("keys.issue", { account: "nobody" }, ops))).code).toBe(
      "not_found",
    );
  });
});

describe("the list", () => {
  test("has one line per operation, limited to the newest, to an account and its keys, or to those since a time", async () => {
    const { act, clock, issued, other } = await createTest();
    clock.now += 2 * day;
    await act("accounts.create", { name: "farm", plan: "team" });
    await act("keys.revoke", { id: issued.id });
    const list = async (args: object) => ((await act("audit.list", args)) as { items: AuditView[] }).items;
    expect((await list({})).map((item) => `${item.seq} ${item.act} ${item.target} ${item.result}`)).toEqual([
      "1 accounts.create null done",
      `3 keys.issue ${issued.id} done`,
      `5 keys.issue ${other.id} done`,
      "7 accounts.create null done",
      `9 keys.revoke ${issued.id} done`,
    ]);
    const numbers = async (args: object) => (await list(args)).map(({ seq }) => seq);
    expect(await numbers({ limit: 2 })).toEqual([7, 9]);
    expect(await numbers({ account: "ci" })).toEqual([1, 3, 5, 9]);
    expect(await numbers({ account: "ci", limit: 1 })).toEqual([9]);
    expect(await numbers({ since: "1d" })).toEqual([7, 9]);
    expect(await numbers({ since: "2026-11-21T12:00:00Z", account: "farm" })).toEqual([7]);
    expect((await refusalOf(() => list({ since: "yesterday" }))).pointer).toBe("/since");
    expect((await refusalOf(() => list({ since: "2027-01-01T00:00:00Z" }))).pointer).toBe("/since");
    expect((await refusalOf(() => list({ limit: 0 }))).pointer).toBe("/limit");
  });

  test("shows concurrent operations in the order in which they ran", async () => {
    const { act } = await createTest();
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => act("accounts.create", { name: `a${n}`, plan: "pro" })),
    );
    const { items } = (await act("audit.list", {})) as { items: AuditView[] };
    expect(items.slice(3).map(({ account, result }) => `${account} ${result}`)).toEqual(
      Array.from({ length: 10 }, (_, n) => `a${n} done`),
    );
  });
});

test.each([undefined, null, 7, {}, { actor: "", from: "x" }, { actor: 1, from: "x" }, { actor: "cli:x" }])(
  "a caller that does not say who it is, %j, is unknown",
  (value) => {
    expect(parseCaller(value)).toEqual(unknownCaller);
  },
);

test("the name of a caller is truncated", () => {
  expect(parseCaller({ ...ops, more: 1 })).toEqual(ops);
  expect(parseCaller({ actor: "x".repeat(9999), from: "y" }).actor).toHaveLength(200);
});
