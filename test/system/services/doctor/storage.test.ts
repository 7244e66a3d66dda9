import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { checkFolder } from "../../../../src/services/doctor/folder.ts";
import { checkLock } from "../../../../src/services/doctor/lock.ts";
import { checkRecords } from "../../../../src/services/doctor/records.ts";
import { examine } from "../../../../src/services/doctor/doctor.ts";
import { startChild } from "../../storage/child.ts";
import { account, key } from "../../../support/records.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";
import { flip, putText } from "../../../support/stored-records.ts";
import { keyId } from "../transfer/fill.ts";
import { deps, settings, findingOf, troubles } from "../../../unit/services/doctor/settings.ts";

async function makeStore(keys = 8): Promise<string> {
  const path = makeFolder();
  const { store } = await openTestStore({ driver: "file", path });
  await store.accounts.set("acme", account("acme"));
  for (let n = 0; n < keys; n++) await store.keys.set(keyId(n), key(keyId(n)));
  await store.counters.consume("account:acme", 3);
  await store.close();
  return path;
}

describe("the folder", () => {
  test("well", async () => {
    const { findings, usable } = await checkFolder(await makeStore(), deps());
    expect(usable).toBe(true);
    // The file system of this test may be a container's own disk.
    expect(troubles(findings).filter((one) => one !== "warning storage.fileSystem")).toEqual([]);
  });

  test("missing, and not a folder", async () => {
    const path = makeFolder();
    const missing = await checkFolder(join(path, "a", "b"), deps());
    expect(troubles(missing.findings)).toContain("note storage.folder");
    expect(missing.usable).toBe(false);
    expect(readdirSync(path)).toEqual([]);
    writeFileSync(join(path, "file"), "");
    expect(findingOf((await checkFolder(join(path, "file"), deps())).findings, "storage.folder")).toMatch(
      /is not a folder\. Choose/,
    );
  });

  test("open to others", async () => {
    const path = await makeStore();
    chmodSync(path, 0o755);
    expect(troubles((await checkFolder(path, deps())).findings)).toContain("note storage.folder");
    chmodSync(path, 0o777);
    const { findings } = await checkFolder(path, deps());
    expect(findingOf(findings, "storage.folder")).toMatch(
      /Everybody on this machine can write to .*\(mode 777\)\. Close it: chmod 700/,
    );
  });

  test("open to its group, or below a folder that others can write", async () => {
    const path = await makeStore();
    chmodSync(path, 0o770);
    const { findings } = await checkFolder(path, deps());
    expect(troubles(findings)).toContain("warning storage.modes");
    expect(findingOf(findings, "storage.modes")).toContain(path);
    const parent = join(makeFolder(), "open");
    mkdirSync(join(parent, "store"), { recursive: true, mode: 0o700 });
    chmodSync(parent, 0o777);
    const below = await checkFolder(join(parent, "store"), deps());
    expect(findingOf(below.findings, "storage.modes")).toContain(parent);
    // With the sticky bit no other user can replace the folder.
    chmodSync(parent, 0o1777);
    const sticky = await checkFolder(join(parent, "store"), deps());
    expect(troubles(sticky.findings)).not.toContain("warning storage.modes");
  });

  test("of another user, seen by root", async () => {
    const path = await makeStore();
    const owner = statSync(path).uid;
    const { findings } = await checkFolder(path, deps({ uid: owner === 0 ? 12 : 0 }));
    expect(troubles(findings).includes("note storage.folder")).toBe(owner !== 0);
  });

  test("on a file system that ends with the machine", async () => {
    // /dev/shm is a tmpfs on every Linux.
    const { findings } = await checkFolder("/dev/shm", deps());
    expect(findingOf(findings, "storage.fileSystem")).toMatch(/tmpfs, which is lost with the machine/);
  });

  test("of a user without access", async () => {
    const path = await makeStore();
    chmodSync(path, process.getuid?.() === 0 ? 0o700 : 0o000);
    // Root has access everywhere: the check must run as another user.
    const module = new URL("../../../../src/services/doctor/folder.ts", import.meta.url).href;
    const script = `import { checkFolder } from ${JSON.stringify(module)};
      console.log(JSON.stringify(await checkFolder(${JSON.stringify(path)}, { uid: process.getuid() })));`;
    const asked = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 }),
    });
    chmodSync(path, 0o700);
    expect(asked.stderr).toBe("");
    const { findings, usable } = JSON.parse(asked.stdout) as Awaited<ReturnType<typeof checkFolder>>;
    expect(usable).toBe(false);
    expect(troubles(findings)).toEqual(["error storage.folder"]);
    expect(findingOf(findings, "storage.folder")).toMatch(
      /permission denied\. Give it the folder: chown -R \d+:\d+ /,
    );
  });
});

describe("the lock", () => {
  test("free, held by a server, left by one that was killed; and the check leaves nothing behind", async () => {
    const path = await makeStore();
    const look = async () => {
      const before = readdirSync(path, { recursive: true });
      const findings = await checkLock(path);
      expect(readdirSync(path, { recursive: true })).toEqual(before);
      return findings;
    };
    expect(troubles(await look())).toEqual([]);
    expect(findingOf(await look(), "storage.lock")).toContain("No process uses the folder now.");

    const child = startChild("hold", path);
    await child.said(/^ready/);
    const held = await look();
    expect(troubles(held)).toEqual(["warning storage.lock"]);
    expect(findingOf(held, "storage.lock")).toMatch(
      new RegExp(`in use \\(process ${child.pid} on .*no server answers on penknife\\.sock`),
    );
    // It still has its lock.
    await expect(openTestStore({ driver: "file", path })).rejects.toThrow("is held by");
    await child.kill();
    const left = await look();
    expect(troubles(left)).toEqual(["note storage.lock"]);
    expect(findingOf(left, "storage.lock")).toMatch(
      new RegExp(`the last one \\(process ${child.pid} on .*was killed`),
    );
  });

  test("a file that is not a lock", async () => {
    const path = await makeStore();
    writeFileSync(join(path, "lock"), "x".repeat(5000));
    expect(troubles(await checkLock(path))).toEqual(["error storage.lock"]);
  });
});

describe("the records", () => {
  test("whole", async () => {
    // More than are read at once.
    const findings = await checkRecords(await makeStore(70));
    expect(findings).toEqual([
      expect.objectContaining({ level: "ok", message: "1 account and 70 keys can be read." }),
      expect.objectContaining({ level: "ok", message: "The journal of counters has 1 window." }),
    ]);
  });

  test("damaged, of another release, under another name, without an owner", async () => {
    const path = await makeStore();
    flip(path, `keys:${keyId(3)}`);
    putText(path, `keys:${keyId(4)}`, JSON.stringify({ ...key(keyId(4)), v: 2 }));
    putText(path, "keys:copy", JSON.stringify(key(keyId(5))));
    putText(path, `keys:${keyId(7)}`, JSON.stringify(key(keyId(7), { account: "gone" })));
    writeFileSync(join(path, "counters.log"), "penknife-counters 2\n");
    const findings = await checkRecords(path);
    expect(troubles(findings)).toEqual([
      "error storage.records",
      "warning storage.records",
      "error storage.journal",
    ]);
    expect(findingOf(findings, "storage.records")).toContain(
      `Damaged, or of another release (3 records): keys/${keyId(3)}, keys/${keyId(4)}, keys/copy.`,
    );
    expect(findingOf(findings, "storage.records")).toContain("because their accounts do not exist: gone");
    expect(findingOf(findings, "storage.journal")).toMatch(
      /newer release of penknife \(version 2, this one reads 1\)\. Start that release/,
    );
  });
});

describe("the database", () => {
  test("whose pages are damaged, whose lists lack a record, that is something else", async () => {
    const path = await makeStore(200);
    const file = join(path, "store.db");
    const bytes = readFileSync(file);
    const database = new DatabaseSync(file);
    database.exec(`DELETE FROM places WHERE entry = '${keyId(3)}'`);
    database.close();
    expect(findingOf(await checkRecords(path), "storage.database")).toContain(
      `${file} is damaged: keys/${keyId(3)} is missing in a list.`,
    );
    for (let at = 4 * 4096; at < 6 * 4096; at++) bytes[at] = at % 251;
    writeFileSync(file, bytes);
    expect(troubles(await checkRecords(path))).toContain("error storage.database");
    writeFileSync(file, "something else".repeat(1000));
    expect(findingOf(await checkRecords(path), "storage.database")).toContain("is damaged");
  });

  test("of a running server is read as a copy, with what is not in its file yet", async () => {
    const path = makeFolder();
    const { store } = await openTestStore({ driver: "file", path });
    await store.accounts.set("acme", account("acme"));
    expect(findingOf(await checkRecords(path), "storage.records")).toContain(
      "1 account and 0 keys can be read.",
    );
    await store.accounts.set("other", account("other"));
    expect(findingOf(await checkRecords(path), "storage.records")).toContain(
      "2 accounts and 0 keys can be read.",
    );
  });

  test("of an older release is read from its files, which stay as they are", async () => {
    const path = makeFolder();
    for (const kind of ["accounts", "keys"]) mkdirSync(join(path, kind));
    writeFileSync(join(path, "accounts", "acme.json"), JSON.stringify(account("acme")));
    writeFileSync(join(path, "accounts", "hurt.json"), "{");
    expect(findingOf(await checkRecords(path), "storage.records")).toContain("(1 record): accounts/hurt.");
    expect(readdirSync(path).toSorted()).toEqual(["accounts", "keys"]);
  });
});

test("an emptied journal of counters is reported, by the server too", async () => {
  const path = await makeStore();
  writeFileSync(join(path, "counters.log"), "");
  expect(troubles(await checkRecords(path))).toEqual(["warning storage.journal"]);
  expect(findingOf(await checkRecords(path), "storage.journal")).toContain(
    `${join(path, "counters.log")} is empty: the counts of this hour are lost.`,
  );
  const notices: string[] = [];
  const onNotice = (_: string, message: string): void => void notices.push(message);
  const { store } = await openTestStore({ driver: "file", path, onNotice });
  await store.close();
  expect(notices.join()).toContain("counters.log is empty: the counts of this hour are lost.");
  expect(troubles(await checkRecords(path))).toEqual([]);
});

test("the messages of inboxes are read, and a damaged last one is reported", async () => {
  const path = await makeStore();
  const inbox = `in_${"a".repeat(32)}`;
  const { store } = await openTestStore({ driver: "file", path });
  const kept = { messages: 9, ms: 1e9, bytes: 1e9 };
  const message = {
    method: "POST",
    query: "",
    headers: [],
    body: Buffer.from("x"),
    signature: "valid",
  } as const;
  const messages = await store.inbox();
  for (const id of ["msg_1", "msg_2"]) await messages.add(inbox, { ...message, id, at: Date.now() }, kept);
  await store.close();
  expect(findingOf(await checkRecords(path), "storage.inboxes")).toContain(
    "2 messages of 1 inbox can be read.",
  );
  const file = join(path, "messages", "a".repeat(32), "00000001.log");
  writeFileSync(file, readFileSync(file, "utf8").replace("msg_2", "msg_3"));
  expect(troubles(await checkRecords(path))).toEqual(["error storage.inboxes"]);
  expect(findingOf(await checkRecords(path), "storage.inboxes")).toContain(`${file} is damaged at byte `);
});

describe("the journal of deliveries", () => {
  const withFile = async (name: string, text: string): Promise<string> => {
    const path = await makeStore();
    mkdirSync(join(path, "webhooks"));
    writeFileSync(join(path, "webhooks", name), text);
    return path;
  };

  test("missing, and one of this release", async () => {
    expect(findingOf(await checkRecords(await makeStore()), "storage.deliveries")).toBe("");
    const path = await withFile("queue-00000002.log", "penknife-deliveries 1\n");
    expect(troubles(await checkRecords(path))).toEqual([]);
    expect(findingOf(await checkRecords(path), "storage.deliveries")).toContain("1 file");
  });

  test("of a newer release", async () => {
    const findings = await checkRecords(
      await withFile("queue-00000004.log", "penknife-deliveries 2\nwhatever"),
    );
    expect(troubles(findings)).toEqual(["error storage.deliveries"]);
    expect(findingOf(findings, "storage.deliveries")).toMatch(
      /version 2, this one reads 1.*Start that release/,
    );
  });

  test("that cannot be read", async () => {
    const path = await makeStore();
    mkdirSync(join(path, "webhooks", "queue-00000002.log"), { recursive: true });
    expect(troubles(await checkRecords(path))).toEqual(["error storage.deliveries"]);
  });
});

test("all of it changes nothing in the folder", async () => {
  const path = await makeStore();
  writeFileSync(join(path, "store.db.tmp"), "half");
  const digest = () =>
    readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const { mtimeMs, mode } = statSync(file);
      return [file, mode, mtimeMs, entry.isFile() ? readFileSync(file, "latin1") : ""];
    });
  const before = digest();
  await examine(settings({ storage: { driver: "file", path } }), deps());
  expect(digest()).toEqual(before);
});
