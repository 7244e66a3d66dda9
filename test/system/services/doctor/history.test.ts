import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkHistory } from "../../../../src/services/doctor/history.ts";
import { damageHistory, openQueue } from "../../../support/history.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { makeFolder, openTestStore } from "../../../support/store.ts";
import { findingOf, troubles } from "../../../unit/services/doctor/settings.ts";
import { makeEvent } from "../../../unit/storage/deliveries/conformance.ts";
import { usageRow } from "../../../unit/storage/usage/usage-row.ts";

const hour = Date.UTC(2026, 10, 21, 9);

async function makeHistory(): Promise<string> {
  const path = makeFolder();
  const queue = await openQueue(path, {
    runtime: testRuntime({ now: () => hour, random: (size) => randomBytes(size) }),
    perEndpoint: 9,
    circuit: { after: 9, everyMs: 1 },
    onError: ({ reason }) => expect.unreachable(reason),
  });
  await queue.add(makeEvent(hour), ["we_a", "we_b"]);
  await queue.fail("we_a", "The endpoint was removed.");
  await queue.fail("we_b", "The endpoint was removed.");
  await queue.close();
  const { store } = await openTestStore({ driver: "file", path });
  await (await store.usage()).add({ id: "1", hour, rows: [usageRow("acme", "key_1", "uuid", { ok: 1 })] });
  await (await store.keyUses()).put(new Map([["key_1", hour]]));
  await store.close();
  return path;
}

test("whole, and none yet", async () => {
  const none = "The history can be read: 0 rows of usage, 0 last uses, 0 ended deliveries.";
  expect(await checkHistory(makeFolder())).toEqual([
    expect.objectContaining({ level: "ok", check: "storage.history", message: none }),
  ]);
  expect(findingOf(await checkHistory(await makeHistory()), "storage.history")).toContain(
    "The history can be read: 1 row of usage, 1 last use, 2 ended deliveries.",
  );
});

test("of a running server is read as a copy, with what is not in its file yet", async () => {
  const path = makeFolder();
  const { store } = await openTestStore({ driver: "file", path });
  await (await store.keyUses()).put(new Map([["key_1", hour]]));
  expect(findingOf(await checkHistory(path), "storage.history")).toContain("1 last use,");
  await (await store.keyUses()).put(new Map([["key_2", hour]]));
  expect(findingOf(await checkHistory(path), "storage.history")).toContain("2 last uses,");
});

test.each([
  [
    "UPDATE usage SET tools = replace(tools, '1', '2')",
    "the usage of acme by key_1 at 2026-11-21T09:00:00.000Z",
  ],
  ["UPDATE uses SET minute = minute + 1", "the last use of key_1"],
  [
    "UPDATE ended SET text = replace(text, 'removed', 'remowed') WHERE endpoint = 'we_a'",
    "the ended delivery ",
  ],
  [
    "UPDATE ended SET rest = replace(rest, ':', ';') WHERE endpoint = 'we_b'",
    "the attempts and the body of dlv_",
  ],
])("with a damaged row: %s", async (sql, name) => {
  const path = await makeHistory();
  damageHistory(path, sql);
  const findings = await checkHistory(path);
  expect(troubles(findings)).toEqual(["error storage.history"]);
  expect(findingOf(findings, "storage.history")).toContain(`history.db (1 row): ${name}`);
});

test("whose pages are damaged", async () => {
  const path = await makeHistory();
  const bytes = readFileSync(join(path, "history.db"));
  bytes.fill(0xa5, 4096);
  writeFileSync(join(path, "history.db"), bytes);
  expect(findingOf(await checkHistory(path), "storage.history")).toContain("history.db is damaged: ");
});

test("in the files of an older release, which stay as they are", async () => {
  const path = makeFolder();
  mkdirSync(join(path, "usage"));
  mkdirSync(join(path, "webhooks"));
  const line = JSON.stringify(usageRow("acme", "key_1", "uuid", { ok: 1 }));
  writeFileSync(join(path, "usage", "2026-11-21T09.jsonl"), `{"v":1}\n${line}\n${line.slice(1)}\n`);
  writeFileSync(join(path, "webhooks", "ended-2026-11-21.log"), 'penknife-deliveries 1\n00000000 "x"\n');
  writeFileSync(join(path, "last-used.json"), "{");
  const findings = await checkHistory(path);
  expect(troubles(findings)).toEqual(Array(3).fill("warning storage.history"));
  expect(findingOf(findings, "storage.history")).toContain("1 row of usage, 0 last uses, 0 ended deliveries");
  for (const words of [
    /last-used\.json is damaged; the times of the last use begin again/,
    /1 line of .*2026-11-21T09\.jsonl is damaged and left out/,
    /1 line of .*ended-2026-11-21\.log is damaged and left out/,
  ])
    expect(findings.map(({ message }) => message)).toContainEqual(expect.stringMatching(words));
  expect(existsSync(join(path, "history.db"))).toBe(false);
});
