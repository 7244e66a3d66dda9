import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// What a request, an event, a start, a revocation or a periodic task does must not cost more because others keep much, in the same store or
// under other names of the same Redis. Each exception is of a bounded size, or belongs to a copy or an examination of the whole store.

const root = new URL("../../../", import.meta.url);
const paths = globSync("src/**/*.ts", { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted();

/** Returns `path: text` for everything that a pattern finds in the sources. */
const found = (pattern: RegExp): string[] =>
  paths.flatMap((path) =>
    Array.from(readFileSync(new URL(path, root), "utf8").matchAll(pattern), ([text]) => `${path}: ${text}`),
  );

test("no command reads names or members of a number that nobody bounds", () => {
  const commands = "scan|keys|hgetall|smembers|hkeys|hvals|getkeys|scanstream";
  const pattern = new RegExp(`\\b(?:client|driver)\\.(?:${commands})\\(|\\bcall\\('(?:${commands})'`, "gi");
  expect(found(pattern)).toEqual([
    // An examination by the operator.
    "src/services/doctor/redis.ts: driver.getKeys(",
    // The fields of one delivery.
    "src/storage/redis/delivery-log.ts: client.hgetall(",
    "src/storage/redis/delivery-scripts.ts: call('hgetall'",
    "src/storage/redis/delivery-upkeep.ts: call('hgetall'",
    // The deliveries of one endpoint that are being made: `webhooks.perEndpoint`.
    "src/storage/redis/delivery-upkeep.ts: call('smembers'",
    "src/storage/redis/delivery-upkeep.ts: call('hgetall'",
    // The bytes of every inbox that has messages, once an hour on one node.
    "src/storage/redis/inbox-scripts.ts: call('hgetall'",
    // In steps, once in the life of a store.
    "src/storage/redis/list-records.ts: client.scan(",
    // In steps, for backups.
    "src/storage/redis/window-copies.ts: client.scan(",
  ]);
});

test("all records of a kind are read for the operator's lists and for copies alone", () => {
  const collections = "accounts|keys|endpoints|inboxes|sessions|logins|collection|store\\[\\w+\\]";
  const reads = found(new RegExp(`\\b(?:${collections})\\.(?:all|ids)\\(`, "g"));
  // These are windows in memory.
  expect(reads.filter((text) => !text.startsWith("src/storage/counters.ts"))).toEqual([
    // Each where no account is named.
    "src/services/access/accounts.ts: accounts.all(",
    "src/services/access/keys.ts: keys.all(",
    "src/services/access/sessions/sessions.ts: sessions.all(",
    "src/services/inbox/inboxes.ts: inboxes.all(",
    // The sweep of inboxes, once an hour on one node.
    "src/services/inbox/inboxes.ts: inboxes.ids(",
    "src/services/transfer/parts.ts: collection.ids(",
    "src/services/transfer/parts.ts: collection.ids(",
    "src/services/webhooks/endpoints.ts: endpoints.all(",
  ]);
});
