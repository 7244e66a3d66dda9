import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ToolError } from "../../../src/catalog/errors.ts";
import { connectAdmin } from "../../../src/operations/client.ts";
import { noCounts } from "../../../src/storage/usage/usage-store.ts";
import type { Store } from "../../../src/storage/storage.ts";
import { account } from "../../support/records.ts";
import { makeFolder, openTestStore } from "../../support/store.ts";
import { testRuntime } from "../../support/runtime.ts";

const hour = 3_600_000;
const now = Date.parse("2026-11-21T09:30:00.000Z");
const inboxId = `in_${"a".repeat(32)}`;
const mine = "not penknife's\n";

/** Writes one thing of each kind into a store. */
const acts: Record<string, (store: Store) => Promise<unknown>> = {
  record: (store) => store.accounts.set("acme", account("acme")),
  count: async (store) => store.counters.consume("account:acme", 1),
  audit: async (store) =>
    (await store.audit()).append({ actor: "cli:ops", from: "here", act: "keys.issue", result: "begun" }),
  usage: async (store) =>
    (await store.usage()).add({
      id: `n-${Math.random()}`,
      hour: Math.floor(now / hour) * hour,
      rows: [{ account: "acme", key: "-", tool: "x", ...noCounts(), ok: 1 }],
    }),
  inbox: async (store) =>
    (await store.inbox()).add(
      inboxId,
      {
        id: `msg_${Math.random()}`,
        at: now,
        method: "POST",
        query: "",
        headers: [],
        body: Buffer.from("x"),
        signature: "valid",
      },
      { messages: 10, ms: 24 * hour, bytes: 1e6 },
    ),
  delivery: async (store) => {
    const queue = await store.deliveries();
    const id = `evt_${crypto.randomUUID()}`;
    await queue.add({ id, type: "webhook.test", account: "acme", body: "{}" }, ["we_a"]);
    for (const claim of await queue.claim({ count: 1, leaseMs: 10_000 }))
      await queue.settle(claim, {
        state: "delivered",
        attempt: { number: 1, at: now, durationMs: 1, outcome: "ok" },
      });
  },
};

async function open(folder: string) {
  return openTestStore({
    driver: "file",
    path: folder,
    runtime: testRuntime({ now: () => now, monotonic: () => performance.now() }),
  });
}

/** A folder with all files, which no process has open. */
async function filled(): Promise<string> {
  const folder = join(makeFolder(), "data");
  const { store } = await open(folder);
  for (const act of Object.values(acts)) await act(store);
  await store.close();
  return folder;
}

/** Opens the store and performs everything; returns the messages for the operator about what failed. */
async function useAll(folder: string): Promise<string[]> {
  const said: string[] = [];
  const note = (error: unknown): void => {
    const cause = error instanceof ToolError ? error.cause : error;
    said.push((cause as Error).message);
  };
  try {
    const { store, errors } = await open(folder);
    for (const act of Object.values(acts)) await act(store).catch(note);
    await store.accounts.get("acme").catch(note);
    for await (const { bytes } of (await store.audit()).read()) expect(bytes.length).toBeGreaterThan(0);
    await store.close();
    said.push(...errors.map(({ reason }) => reason));
  } catch (error) {
    note(error);
  }
  return said;
}

/** Existing files that are opened by name. */
const opened = [
  "store.db",
  "counters.log",
  "lock",
  "audit/2026-11.jsonl",
  "audit/head.json",
  "history.db",
  `messages/${"a".repeat(32)}/00000001.log`,
  "webhooks/queue-00000002.log",
  "reserve",
  // Folders.
  "accounts",
  "audit",
  "messages",
  `messages/${"a".repeat(32)}`,
  "webhooks",
];

/** Files that are created under a predictable name. */
const made = [
  "owner.json",
  "owner.json.tmp",
  "counters.log.tmp",
  "probe.tmp",
  "store.db",
  "store.db-wal",
  "store.db.tmp",
  "history.db",
  "history.db-wal",
  "history.db.tmp",
  "accounts/moved-to-store-db.json",
  "audit/2026-11.jsonl",
  "audit/head.json",
  "webhooks/queue-00000001.log",
  "webhooks/ended-2026-11-21.log",
  "lock",
  "counters.log",
  "reserve",
];

describe("a symbolic link in the data folder", () => {
  test.each(opened)("at %s is named and not followed", async (name) => {
    const folder = await filled();
    const path = join(folder, name);
    const outside = join(dirname(folder), "outside");
    const wasFolder = existsSync(path) && statSync(path).isDirectory();
    renameSync(path, outside);
    if (wasFolder) writeFileSync(join(outside, "canary"), mine);
    else writeFileSync(outside, mine);
    const before = statSync(outside).mtimeMs;
    symlinkSync(outside, path);
    const said = (await useAll(folder)).join("\n");
    if (name !== "reserve") expect(said).toContain(`${path} is a symbolic link, which is not followed.`);
    expect(readFileSync(wasFolder ? join(outside, "canary") : outside, "utf8")).toBe(mine);
    expect(statSync(outside).mtimeMs).toBe(before);
    // A record that cannot be read is not replaced either.
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  // To an existing file, and to a missing one.
  test.each(made)(
    "at %s, before anything is created there, creates and changes nothing elsewhere",
    async (name) => {
      const folder = join(makeFolder(), "data");
      const [outside, missing] = ["outside", "missing"].map((one) => join(dirname(folder), one)) as [
        string,
        string,
      ];
      for (const target of [outside, missing]) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(outside, mine, { mode: 0o644 });
        symlinkSync(target, join(folder, name));
        await useAll(folder);
        expect(readFileSync(outside, "utf8")).toBe(mine);
        expect(statSync(outside).mode & 0o777).toBe(0o644);
        expect(existsSync(missing)).toBe(false);
        renameSync(folder, `${folder}.${target === outside ? 1 : 2}`);
      }
    },
  );

  test("at penknife.sock is not connected to", async () => {
    const folder = makeFolder();
    const path = join(folder, "penknife.sock");
    symlinkSync(join(folder, "elsewhere.sock"), path);
    await expect(connectAdmin(path)).rejects.toThrow(`${path} is a symbolic link`);
  });
});

test.runIf(process.getuid?.() === 0)(
  "a file of another user is refused by a server that is not root",
  async () => {
    const { startChild } = await import("./child.ts");
    const folder = makeFolder();
    chownSync(dirname(folder), statSync(dirname(folder)).uid, statSync(dirname(folder)).gid);
    chownSync(folder, 65_534, 65_534);
    writeFileSync(join(folder, "counters.log"), "", { mode: 0o666 });
    chownSync(join(folder, "counters.log"), 1234, 1234);
    const child = startChild("hold", folder, { uid: 65_534 });
    onTestFinished(() => child.kill());
    expect(await child.said(/^refused open/)).toContain(
      `${join(folder, "counters.log")} belongs to uid 1234 and not to this user (uid 65534).`,
    );
  },
);
