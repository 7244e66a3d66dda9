// A process of its own around a store, to be killed, starved and locked out: `store.fixture.ts MODE FOLDER`.
import { randomBytes } from "node:crypto";
import { statSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { createAccounts } from "../../../src/services/access/accounts.ts";
import { createKeys } from "../../../src/services/access/keys.ts";
import { createCounters } from "../../../src/storage/counters.ts";
import { prepareFolder } from "../../../src/storage/folder.ts";
import { readJournal } from "../../../src/storage/journal/lines.ts";
import { openJournal } from "../../../src/storage/journal/journal.ts";
import type { Journal } from "../../../src/storage/journal/journal.ts";
import { StoreError } from "../../../src/storage/errors.ts";
import { openStore } from "../../../src/storage/storage.ts";
import type { Store, StoreOptions } from "../../../src/storage/storage.ts";
import { hourMs, noCounts, type UsageBatch } from "../../../src/storage/usage/usage-store.ts";
import { testRuntime } from "../../support/runtime.ts";

// A process that is killed would not keep what it compiled for the next one.
flushCompileCache();

const [mode, path = ""] = process.argv.slice(2);
// Synchronous, so that the line has left the process before anything else happens in it.
const say = (...words: (string | number)[]) => writeSync(1, `${words.join(" ")}\n`);

async function open(more: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore({
    driver: "file",
    path,
    ...more,
    runtime: testRuntime({ now: Date.now }),
    onError: (error) => say("error", error.operation, error.reason),
    pid: process.pid,
    uid: process.getuid?.() ?? 0,
  });
}

/** Answers requests and issues keys for ever. */
async function load(store: Store): Promise<void> {
  const keys = createKeys({
    store,
    runtime: testRuntime({ now: Date.now, random: randomBytes }),
    maxKeyDays: 0,
  });
  const accounts = createAccounts({
    store,
    keys,
    runtime: testRuntime({ now: Date.now, random: randomBytes }),
  });
  if ((await store.accounts.get("acme")) === undefined) await accounts.create({ name: "acme", plan: "team" });
  say("ready");
  void (async () => {
    for (;;) {
      const { key, record } = await keys.issue({ account: "acme" });
      say("key", key);
      // Every other old key is written once more, so that kills hit replacements too.
      await keys.revoke(record.id, { reason: "test" });
      say("revoked", key);
      say("key", (await keys.issue({ account: "acme" })).key);
    }
  })();
  void (async () => {
    const usage = await store.usage();
    for (let batch = 0; ; batch++) {
      await usage.add(batchOf(`${process.pid}-${batch}`));
      say("counted", 1);
      // Others need the disk too.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  for (let turn = 0; ; turn++) {
    const counts = [store.counters.consume("account:acme", 1)];
    for (let n = 0; n < 300; n++)
      counts.push(store.counters.consume(`ip:${((turn * 7 + n) % 5_000).toString(16)}`, 1));
    const [count] = await Promise.all(counts);
    say("answered", count?.used ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Usage of one call. */
const batchOf = (id: string): UsageBatch => ({
  id,
  hour: Math.floor(Date.now() / hourMs) * hourMs,
  rows: [{ ...noCounts(), account: "acme", key: "key_1", tool: "uuid-generator", ok: 1 }],
});

/** Changes a record as a server does, and answers requests while that waits for the disk. */
async function answerMeanwhile(): Promise<void> {
  const store = await open({ lockPatienceMs: 1_000 });
  const record = await store.accounts.get("acme");
  if (record === undefined) throw new Error("there is no account");
  await store.accounts.lookup("acme");
  say("ready");
  let state = "waits";
  const changing = store.accounts
    .set("other", { ...record, name: "other" })
    .then(() => (state = "is written"));
  const history = Promise.allSettled([
    store.usage().then((usage) => usage.add(batchOf("1"))),
    store.keyUses().then((uses) => uses.put(new Map([["key_1", 0]]))),
  ]);
  for (let turn = 0; turn < 2_000; turn++) {
    if (store.accounts.lookup("acme") instanceof Promise) throw new Error("a known account was read");
    await store.counters.consume("account:acme", 1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  say("answered, and the change", state);
  await changing;
  say("the change", state);
  await history;
  await store.close();
}

/** A journal that is rewritten continuously. */
async function churn(): Promise<void> {
  const file = join(path, "counters.log");
  const counters = createCounters(testRuntime(), (id) => journal.note(id));
  for (const [id, window] of readJournal(file)) counters.restore(id, window);
  const journal: Journal = await openJournal({
    path: file,
    seen: counters.seen,
    ids: counters.ids,
    onError: (error) => say("error", error.operation, error.reason),
    compactBytes: 2_000,
  });
  say("ready");
  for (let turn = 0; ; turn++) {
    const counts = [counters.consume("account:acme", 1)];
    for (let n = 0; n < 20; n++)
      counts.push(counters.consume(`ip:${((turn * 7 + n) % 100).toString(16)}`, 1));
    const [used] = await Promise.all(counts);
    say("answered", used?.used ?? 0, statSync(file).size);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Counts as instructed on standard input: `ID POINTS`. */
async function countAsTold(store: Store): Promise<void> {
  say("ready");
  process.stdin.setEncoding("utf8");
  for await (const text of process.stdin) {
    for (const line of String(text).trim().split("\n")) {
      const [id = "", points] = line.split(" ");
      const { used } = await store.counters.consume(id, Number(points));
      say("used", id, used);
    }
  }
  await store.close();
  say("closed");
}

try {
  if (mode === "prepare") {
    for (let count = 0; count < 1_000; count++) prepareFolder(path);
    say("prepared");
    process.exit();
  }
  if (mode === "churn") await churn();
  if (mode === "meanwhile") {
    await answerMeanwhile();
    process.exit();
  }
  const store = await open(mode === "load" ? { lockPatienceMs: 1_000 } : {});
  if (mode === "load") await load(store);
  else if (mode === "count") await countAsTold(store);
  else {
    say("ready");
    setInterval(() => {}, 1_000);
  }
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  say("refused", error.operation, error.reason);
  process.exitCode = 3;
}
