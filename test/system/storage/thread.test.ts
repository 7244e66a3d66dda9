import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Worker } from "node:worker_threads";
import { createConnection } from "../../../src/storage/sqlite/connection.ts";
import type { Call } from "../../../src/storage/sqlite/calls.ts";
import { openDatabase } from "../../../src/storage/sqlite/database.ts";
import { createSharedThread } from "../../../src/storage/sqlite/shared-thread.ts";
import { createThreadLink } from "../../../src/storage/sqlite/thread-link.ts";
import { account } from "../../support/records.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { damageIn } from "../e2e/disk.ts";
import { startChild } from "./child.ts";

// A server has the database of its records on a thread of its own.
const asServer = { driver: "file", lockPatienceMs: 1_000 } as const;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const text = (name: string): string => JSON.stringify(account(name));
const add = (key: string, after: string) =>
  ({ act: "swap", key, change: { before: null, after, enter: [], leave: [] } }) as const;

/** A thread that accepts calls and never answers, as on a disk that hangs. */
const silent = (): Worker =>
  new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true });

test("writes of a server are on the disk when they resolve, in their order, and are there after the next start", async () => {
  const path = makeFolder();
  const { store } = await openTestStore({ ...asServer, path });
  const names = Array.from({ length: 300 }, (_, n) => `acme-${n}`);
  expect(await Promise.all(names.map((name) => store.accounts.add(name, account(name))))).not.toContain(
    false,
  );
  await Promise.all(
    [10_001, 10_002, 10_003].map((limit) =>
      store.accounts.set("acme-0", account("acme-0", { plan: "team", limit })),
    ),
  );
  expect(await store.accounts.get("acme-0")).toMatchObject({ limit: 10_003 });
  expect(await store.accounts.count()).toBe(300);
  await store.close();
  expect(readdirSync(path)).not.toContain("store.db-wal");
  expect(damageIn({ data: path })).toEqual([]);
  const { store: again } = await openTestStore({ ...asServer, path });
  expect(again.hadAccounts).toBe(true);
  expect(await again.accounts.get("acme-0")).toMatchObject({ limit: 10_003 });
});

test("what is written while the store closes is written or refused, and the folder is free afterwards", async () => {
  const path = makeFolder();
  const { store } = await openTestStore({ ...asServer, path });
  const writing = ["a", "b"].map((name) =>
    store.accounts.set(name, account(name)).then(
      () => name,
      () => "",
    ),
  );
  const closing = store.close();
  const written = (await Promise.all(writing)).filter((name) => name !== "");
  await closing;
  await expect(store.accounts.set("late", account("late"))).rejects.toMatchObject({
    code: "storage_unavailable",
  });
  const { store: again } = await openTestStore({ ...asServer, path });
  expect(await again.accounts.ids()).toEqual(expect.arrayContaining(written));
});

test("on a disk that hangs the event loop goes on, and so do reads of what is cached", async () => {
  const path = makeFolder();
  const file = join(path, "store.db");
  let worker: Worker | undefined;
  const connection = createConnection({
    lane: "records",
    database: openDatabase(file),
    thread: createSharedThread(async () => createThreadLink((worker = silent()))),
  });
  onTestFinished(async () => void (await worker?.terminate()));
  expect(await connection.call({ act: "read", key: "accounts:acme" })).toBeNull();
  const answers: string[] = [];
  const waiting = [add("accounts:acme", text("acme")), { act: "read", key: "accounts:acme" } as const].map(
    (call) =>
      connection.call(call).then(
        () => answers.push("answered"),
        (error: Error) => answers.push(error.message),
      ),
  );
  for (let turns = 0; turns < 100; turns++) await turn();
  expect(answers).toEqual([]);
  // The end of the thread is an answer too; the next call gets another thread.
  await worker?.terminate();
  await Promise.all(waiting);
  expect(answers).toEqual(Array(2).fill("The thread of the store has ended. Repeat the call."));
});

// strace holds back each sync as long as a disk that hangs; where it is missing, the test above is left.
test.runIf(spawnSync("strace", ["-V"]).status === 0)(
  "on a disk whose syncs do not return, requests are answered and counted",
  async () => {
    const path = makeFolder();
    const { store } = await openTestStore({ driver: "file", path });
    await store.accounts.set("acme", account("acme"));
    await store.close();
    const hours = "inject=fsync,fdatasync:delay_enter=36000000000";
    const under = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", hours];
    const child = startChild("meanwhile", path, { under });
    expect(await child.said(/^answered|^refused/)).toBe("answered, and the change waits");
    await child.kill();
  },
);

test("calls that wait together share a transaction, and one that cannot be made does not fail the others", async () => {
  const database = openDatabase(":memory:");
  let transactions = 0;
  const connection = createConnection<Call>({
    lane: "records",
    database: {
      ...database,
      transact(work) {
        transactions += 1;
        return database.transact(work);
      },
    },
  });
  const names = ["a", "b", "c"];
  const made = await Promise.all(names.map((name) => connection.call(add(`accounts:${name}`, text(name)))));
  expect([made, transactions]).toEqual([[true, true, true], 1]);
  const broken = {
    act: "swap",
    key: "accounts:d",
    change: { before: null, after: Symbol.iterator, enter: [], leave: [] },
  };
  const outcomes = await Promise.allSettled([
    connection.call(add("accounts:e", text("e"))),
    connection.call(broken as never),
    connection.call(add("accounts:a", text("a"))),
  ]);
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "failed"))).toEqual([
    true,
    "failed",
    false,
  ]);
  expect(await connection.call({ act: "count", list: "accounts" })).toBe(4);
  await connection.close();
});
