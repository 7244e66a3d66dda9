import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../src/storage/storage.ts";
import type { StoreError } from "../../../src/storage/errors.ts";
import { repeats } from "../../support/cases.ts";
import { startChild } from "./child.ts";
import { account, key } from "../../support/records.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { flip, putText } from "../../support/stored-records.ts";
import { testRuntime } from "../../support/runtime.ts";

const isRoot = process.getuid?.() === 0;

async function refusal(path: string): Promise<StoreError> {
  const opened = openStore({
    driver: "file",
    path,
    runtime: testRuntime({ now: Date.now }),
    onError: () => {},
    uid: 1234,
    pid: 1,
  });
  return opened.then(
    () => expect.unreachable("the store was opened"),
    (error: StoreError) => error,
  );
}

describe("a folder that cannot be used", () => {
  test("is a file", async () => {
    const file = join(makeFolder(), "file");
    writeFileSync(file, "mine");
    const { name, reason } = await refusal(file);
    expect([name, reason]).toEqual([
      "StoreError",
      `${file} is not a folder. Choose a folder with storage.path.`,
    ]);
    expect((await refusal(join(file, "below"))).reason).toContain("is not a folder");
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  test("belongs to another user: the message has the uid and the command to run", async () => {
    const folder = makeFolder();
    const data = join(folder, "data");
    mkdirSync(data, { mode: 0o555 });
    // Root may write anywhere, so the process changes its user.
    if (isRoot) chmodSync(folder, 0o755);
    else chmodSync(data, 0o555);
    const uid = isRoot ? 65_534 : process.getuid?.();
    const child = startChild("hold", data, isRoot ? { uid: 65_534 } : {});
    expect(await child.said(/^refused open/)).toContain(`chown -R ${uid}:${uid} ${data}`);
    expect(await child.ended).toBe(3);
  });

  test.runIf(isRoot)("is on a read-only file system", async () => {
    const folder = makeFolder();
    execFileSync("mount", ["--bind", folder, folder]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
    execFileSync("mount", ["-o", "remount,ro,bind", folder]);
    expect((await refusal(folder)).reason).toContain("read-only file system");
  });

  test.runIf(isRoot)("is full", async () => {
    const folder = makeFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", folder]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
    expect(spawnSync("dd", ["if=/dev/zero", `of=${join(folder, "ballast")}`]).status).not.toBe(0);
    expect((await refusal(folder)).reason).toContain("no space left");
  });

  test("accepts no content", async () => {
    const child = startChild("hold", makeFolder(), { under: ["prlimit", "--fsize=100"] });
    expect(await child.said(/^refused open/)).toContain("no space left");
    expect(await child.ended).toBe(3);
  });

  test("was written by a newer release, and is left unchanged", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "accounts"));
    const file = join(folder, "accounts", "acme.json");
    writeFileSync(file, JSON.stringify({ ...account("acme"), v: 2 }));
    expect((await refusal(folder)).reason).toContain(
      "newer release of penknife (version 2, this one reads 1)",
    );
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ v: 2 });
    // The refusal released the lock.
    writeFileSync(file, JSON.stringify(account("acme")));
    const { store } = await openTestStore({ driver: "file", path: folder });
    expect(await store.accounts.get("acme")).toEqual(account("acme"));
  });
});

describe("the lock", () => {
  test("refuses a second process and names the first; kill -9 of the first frees it at once", async () => {
    const folder = makeFolder();
    const holder = startChild("hold", folder);
    await holder.said(/^ready/);
    const { operation, reason } = await refusal(folder);
    expect(operation).toBe("lock");
    expect(reason).toContain(`process ${holder.pid} on `);
    await holder.kill();
    expect(readdirSync(folder)).toContain("owner.json");
    const { store } = await openTestStore({ driver: "file", path: folder });
    await store.close();
  });

  test("is released even if its holder cannot be determined", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "owner.json.tmp"));
    const { name, operation } = await refusal(folder);
    expect([name, operation]).toEqual(["StoreError", "open"]);
    rmdirSync(join(folder, "owner.json.tmp"));
    const { store } = await openTestStore({ driver: "file", path: folder });
    await store.close();
  });

  test("refuses a second store in the same process, and is free after close, which may be called twice", async () => {
    const folder = makeFolder();
    const { store } = await openTestStore({ driver: "file", path: folder });
    expect((await refusal(folder)).operation).toBe("lock");
    await store.close();
    const { store: second } = await openTestStore({ driver: "file", path: folder });
    await store.close();
    expect((await refusal(folder)).operation).toBe("lock");
    await second.close();
  });

  test("processes that prepare a folder at once do not hinder one another", async () => {
    const folder = makeFolder();
    const racers = Array.from({ length: 3 }, () => startChild("prepare", folder));
    const said = await Promise.all(racers.map((racer) => racer.said(/./)));
    expect(said).toEqual(racers.map(() => "prepared"));
  });

  test("of processes that start at once, one wins", async () => {
    const folder = makeFolder();
    for (let round = 0; round < repeats(10); round++) {
      const racers = Array.from({ length: 4 }, () => startChild("hold", folder));
      const said = await Promise.all(racers.map((racer) => racer.said(/^(ready|refused)/)));
      const outcomes = said.map((line) => line.replace(/^(refused lock) .*/, "$1")).toSorted();
      expect(outcomes).toEqual(["ready", ...racers.slice(1).map(() => "refused lock")]);
      await Promise.all(racers.map((racer) => racer.kill()));
    }
  });

  // In a container every server is process 1: the killed one, its successor, and one in another container that still runs on the same
  // volume.
  test.runIf(isRoot)("holds and is released between namespaces in which both are process 1", async () => {
    const folder = makeFolder();
    const under = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
    const first = startChild("hold", folder, { under });
    await first.said(/^ready/);
    expect(JSON.parse(readFileSync(join(folder, "owner.json"), "utf8"))).toMatchObject({ pid: 1 });
    const second = startChild("hold", folder, { under });
    expect(await second.said(/^refused lock/)).toContain("process 1 on");
    await first.kill();
    const third = startChild("hold", folder, { under });
    await third.said(/^ready/);
  });
});

describe("after a crash or damage", () => {
  test("a drafted database is swept; damaged records are an error, not missing", async () => {
    const folder = makeFolder();
    const texts = ["", "null", '{"v":1,"id":"key_', "true", "[]", "{}", JSON.stringify(key("f".repeat(20)))];
    await (await openTestStore({ driver: "file", path: folder })).store.close();
    for (const [index, text] of texts.entries()) putText(folder, `keys:${index}${"a".repeat(19)}`, text);
    putText(folder, `keys:${"b".repeat(20)}`, JSON.stringify(key("b".repeat(20))));
    writeFileSync(join(folder, "store.db.tmp"), "half");
    const { store, errors } = await openTestStore({ driver: "file", path: folder });
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    for (const index of texts.keys()) {
      const reading = store.keys.get(`${index}${"a".repeat(19)}`);
      await expect(reading).rejects.toMatchObject({ code: "storage_unavailable" });
      // The error for the caller has no path.
      await expect(reading).rejects.not.toThrow(/keys|json|\//);
    }
    expect(errors).toHaveLength(texts.length);
    const { records, damaged } = await store.keys.all();
    expect(records.map(({ id }) => id)).toEqual([`key_${"b".repeat(20)}`]);
    expect(damaged).toEqual(
      [...texts.keys()].map((index) =>
        expect.stringContaining(`The record keys/${index}${"a".repeat(19)} is damaged`),
      ),
    );
  });

  test("a bit that has flipped in a record damages that record alone, and a copy repairs it", async () => {
    const folder = makeFolder();
    const { store: first } = await openTestStore({ driver: "file", path: folder });
    for (const name of ["acme", "other"]) await first.accounts.set(name, account(name));
    await first.close();
    flip(folder, "accounts:acme");
    const { store } = await openTestStore({ driver: "file", path: folder });
    const reason =
      "The record accounts/acme is damaged or of another release. Restore it from a backup, or remove it.";
    expect(await store.accounts.all()).toEqual({ records: [account("other")], damaged: [reason] });
    await expect(store.accounts.lookup("acme")).rejects.toMatchObject({ code: "storage_unavailable" });
    await expect(store.accounts.add("acme", account("acme"))).resolves.toBe(false);
    await store.accounts.set("acme", account("acme"));
    expect(await store.accounts.get("acme")).toEqual(account("acme"));
  });

  test("a database that is gone, or replaced by something else, is not taken for a new store", async () => {
    const folder = makeFolder();
    const file = join(folder, "store.db");
    const { store } = await openTestStore({ driver: "file", path: folder });
    await store.accounts.set("acme", account("acme"));
    await store.close();
    renameSync(file, `${file}.away`);
    expect((await refusal(folder)).reason).toContain(`${file} is gone, and with it all records. Put it back`);
    writeFileSync(file, "something else\n".repeat(1000));
    expect((await refusal(folder)).reason).toContain(`${file} is damaged.`);
    renameSync(`${file}.away`, file);
    const { store: again } = await openTestStore({ driver: "file", path: folder });
    expect(await again.accounts.get("acme")).toEqual(account("acme"));
  });

  test("a folder that has vanished is an error, and cached records remain valid", async () => {
    const folder = join(makeFolder(), "data");
    const { store } = await openTestStore({ driver: "file", path: folder });
    await store.accounts.set("acme", account("acme"));
    renameSync(folder, `${folder}-away`);
    await expect(store.check()).rejects.toThrow("is gone");
    expect(store.accounts.lookup("acme")).toMatchObject({ name: "acme" });
    renameSync(`${folder}-away`, folder);
    await store.check();
  });

  test("the contents of the folder are readable by its owner only", async () => {
    const folder = makeFolder();
    const { store } = await openTestStore({ driver: "file", path: folder });
    await store.accounts.set("acme", account("acme"));
    const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
    const modes = entries.map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
    expect(modes).toEqual([
      ["accounts", "700"],
      ["accounts/moved-to-store-db.json", "600"],
      ["counters.log", "600"],
      ["keys", "700"],
      ["keys/moved-to-store-db.json", "600"],
      ["lock", "600"],
      ["owner.json", "600"],
      ["reserve", "600"],
      ["store.db", "600"],
      ["store.db-wal", "600"],
    ]);
  });

  test.runIf(isRoot)("on a full disk a record is refused whole", async () => {
    const folder = makeFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k", "none", folder]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
    const { store, errors } = await openTestStore({ driver: "file", path: folder });
    spawnSync("dd", ["if=/dev/zero", `of=${join(folder, "ballast")}`]);
    const add = (n: number) => store.accounts.add(`acme-${n}`, account(`acme-${n}`));
    // The log of SQLite has room for some.
    let added = 0;
    let refused: unknown;
    while (refused === undefined && added < 1_000)
      refused = await add(added).then(
        () => void (added += 1),
        (error: unknown) => error,
      );
    expect(refused).toMatchObject({ code: "storage_unavailable" });
    expect(errors.map(({ operation, reason }) => `${operation}: ${reason}`)).toEqual([
      expect.stringMatching(/^write: There is no space left/),
    ]);
    expect(await store.accounts.get(`acme-${added}`)).toBeUndefined();
    expect([await store.accounts.count(), (await store.accounts.ids()).length]).toEqual([added, added]);
    execFileSync("rm", [join(folder, "ballast")]);
    expect(await add(added)).toBe(true);
  });
});
