import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCounters } from "../../../src/storage/counters.ts";
import { openHistoryDatabase } from "../../../src/storage/history/database.ts";
import { findOldHistory } from "../../../src/storage/history/old-files.ts";
import { readOldHistory } from "../../../src/storage/history/read-old.ts";
import { openInboxLog } from "../../../src/storage/inbox/inbox-log.ts";
import type { Message } from "../../../src/storage/inbox/inbox-store.ts";
import { openJournal } from "../../../src/storage/journal/journal.ts";
import { testRuntime } from "../../support/runtime.ts";
import { makeEvent } from "./deliveries/conformance.ts";
import { openOn } from "./deliveries/file.ts";
import { makeFolder } from "../../support/store.ts";

// Texts that earlier releases have written, byte for byte: this one reads them, and they read what this one writes.

const now = 1_764_000_000_000;
const runtime = testRuntime({ now: () => now, random: (size) => new Uint8Array(size).fill(7) });

function onError(error: unknown): never {
  throw error;
}

const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );

/** Makes a folder with these files. */
function folderWith(content: Record<string, string>): string {
  const folder = makeFolder();
  for (const [name, text] of Object.entries(content)) writeFileSync(join(folder, name), text);
  return folder;
}

const inbox = {
  "00000001.log": String.raw`d2a9818e {"v":1,"duplicates":0}
f5d0506c {"id":"msg_1","at":1764000000000,"method":"POST","query":"?x","headers":[["A","b"]],"signature":"valid","event":"a","type":"t"}	MQ==
6474d9a0 {"duplicates":1}
4c91344c {"id":"msg_2","at":1764000000000,"method":"POST","query":"","headers":[],"signature":"valid"}	Mg==
`,
};

test("an inbox", async () => {
  const kept = { messages: 100, ms: 3_600_000, bytes: Infinity };
  const first: Message = {
    id: "msg_1",
    at: now,
    method: "POST",
    query: "?x",
    headers: [["A", "b"]],
    signature: "valid",
    event: "a",
    type: "t",
    body: Buffer.from("1"),
  };
  const folder = makeFolder();
  const log = await openInboxLog(folder, { runtime, onError });
  await log.add(first, kept, () => {});
  await log.add({ ...first, id: "msg_again" }, kept, () => {});
  const { event: _event, type: _type, ...bare } = first;
  const second: Message = { ...bare, id: "msg_2", query: "", headers: [], body: Buffer.from("2") };
  await log.add(second, kept, () => {});
  await log.close();
  expect(contentOf(folder)).toEqual(inbox);

  const old = await openInboxLog(folderWith(inbox), { runtime, onError });
  onTestFinished(() => old.close());
  expect(await old.read({ limit: 10, kept })).toEqual([first, second]);
  expect(old.stats(kept)).toMatchObject({ messages: 2, duplicates: 1 });
});

const one = "dlv_019ab697-e800-7707-8707-070707070707";
const other = "dlv_019ab697-e800-7707-8707-07070e0e0e0f";
const event = "evt_019ab516-1000-7000-8000-000000000001";
const ended = {
  "ended-2025-11-24.log": String.raw`penknife-deliveries 1
7ae17cb1 "{\"n\":1}"
44463005 {"id":"${other}","event":"${event}","type":"a.b","account":"acme","endpoint":"we_b","state":"delivered","attempts":1,"createdAt":1764000000000,"since":1764000000000,"log":[{"number":1,"at":1764000000000,"outcome":"ok","durationMs":1}],"endedAt":1764000000000}
`,
};
const queue = {
  "queue-00000002.log": String.raw`penknife-deliveries 1
7ae17cb1 "{\"n\":1}"
d1243d1a {"at":1764000000000,"act":"add","event":{"id":"${event}","type":"a.b","account":"acme"},"to":[["${one}","we_a"],["${other}","we_b"]],"once":["once",1764000000005]}
b4d028a3 {"at":1764000000000,"act":"wait","id":"${one}","endpoint":"we_a","attempts":1,"nextAt":1764000000009,"attempt":{"number":1,"at":1764000000000,"outcome":"retry","durationMs":1}}
c4dc5023 {"at":1764000000000,"act":"end","ids":["${other}"],"endpoint":"we_b","attempt":{"at":1764000000000,"outcome":"ok"}}
8cf1e24a {"at":1764000000000,"act":"hold","endpoint":"we_a","until":null}
`,
  "queue-00000004.log": String.raw`penknife-deliveries 1
927e471c {"at":1764000000000,"act":"health","endpoint":"we_b","failures":0,"lastFailureAt":0}
`,
};

test("waiting and ended deliveries", async () => {
  const data = makeFolder();
  const { queue: fresh } = await openOn(data, { runtime, segmentBytes: 700 });
  const body = '{"n":1}';
  const attempt = (outcome: "retry" | "ok") => ({ number: 1, at: now, outcome, durationMs: 1 });
  await fresh.add({ ...makeEvent(now), id: event, type: "a.b", account: "acme", body }, ["we_a", "we_b"], {
    name: "once",
    until: now + 5,
  });
  const claims = await fresh.claim({ count: 2, leaseMs: 1_000 });
  for (const claim of claims) {
    if (claim.delivery.id === one)
      await fresh.settle(claim, { attempt: attempt("retry"), state: "waiting", nextAt: now + 9 });
    else await fresh.settle(claim, { attempt: attempt("ok"), state: "delivered" });
  }
  await fresh.hold("we_a", Infinity);
  await fresh.resetHealth("we_b");
  await fresh.close();
  expect(contentOf(join(data, "webhooks"))).toEqual(queue);

  const folder = makeFolder();
  mkdirSync(join(folder, "webhooks"));
  for (const [name, text] of Object.entries({ ...queue, ...ended }))
    writeFileSync(join(folder, "webhooks", name), text);
  const history = openHistoryDatabase(join(folder, "history.db"));
  await readOldHistory(folder, findOldHistory(folder), history, onError);
  history.close();
  const { queue: old, notices } = await openOn(folder, { runtime });
  expect(await old.get(one)).toMatchObject({
    state: "waiting",
    body,
    nextAt: now + 9,
    log: [{ outcome: "retry" }],
  });
  expect(await old.get(other)).toMatchObject({ state: "delivered", body, log: [{ outcome: "ok" }] });
  expect(notices).toEqual([]);
});

test("counts", async () => {
  const path = join(makeFolder(), "counters.log");
  const counters = createCounters(runtime, () => {});
  counters.restore("account:acme", { used: 5, resetAt: now + 1 });
  const journal = await openJournal({ path, seen: counters.seen, ids: counters.ids, onError });
  journal.note("account:acme");
  journal.note("ip:7f000001");
  await journal.close();
  expect(readFileSync(path, "utf8")).toBe(
    `penknife-counters 1\naccount:acme\t5\t${now + 1}\t.\naccount:acme\t5\t${now + 1}\t.\nip:7f000001\t0\t0\t.\n`,
  );
});
