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

test("no command reads names, fields or members of a number that nobody bounds", () => {
  const commands = "scan|sscan|hscan|zscan|hgetall|smembers|hkeys|hvals|dbsize";
  const methods = `\\.(?:(?:${commands}|getKeys)(?:Buffer|Stream)?|scanStream|scanBufferStream)\\(`;
  // Maps and objects have keys, too.
  const names = "\\b(?:client|connection|redis|driver|multi|pipeline|duplicate\\(\\))\\.keys(?:Buffer)?\\(";
  // In Lua, and as a word for the client: `redis.call('keys', …)`, `redis.pcall("KEYS", …)`, `client.call("keys", …)`.
  const calls = `\\bp?call\\(\\s*["'\x60](?:${commands}|keys|randomkey)["'\x60]`;
  expect(found(new RegExp(`\\w*(?:${methods}|${names}|${calls})`, "gi"))).toEqual([
    // The fields of one delivery, and of one endpoint, of an older release.
    "src/storage/redis/adopt-deliveries.ts: client.hgetall(",
    "src/storage/redis/adopt-deliveries.ts: client.hgetall(",
    // In steps, and what one step has moved, of an older release.
    "src/storage/redis/adopt-usage.ts: client.hscan(",
    "src/storage/redis/adopt-usage.ts: client.hgetall(",
    // The bytes of every inbox that has messages, once an hour on one node.
    "src/storage/redis/inbox-scripts.ts: call('hgetall'",
    // The same in steps.
    "src/storage/redis/inbox-sums.ts: client.hscan(",
    // In steps, for the operator's list of all keys, and for backups.
    "src/storage/redis/key-uses.ts: client.hscan(",
    // A number, when a store begins.
    "src/storage/redis/marker.ts: server.dbsize(",
    // In steps: once in the life of a store, and for an examination by the operator.
    "src/storage/redis/search-names.ts: server.scan(",
    // In steps, for reports of usage: what an account has used in a day.
    "src/storage/redis/usage.ts: client.hscan(",
    // In steps, for backups.
    "src/storage/redis/window-copies.ts: server.scan(",
  ]);
});

test("a list is read to its end only where its length is bounded", () => {
  const ranges = "(?:lrange|zrange|zrevrange|zrangebyscore|zrangebylex)(?:Buffer)?";
  expect(found(new RegExp(`\\b${ranges}(?:'|\\()[^\\n]*?[ "']-1\\b`, "gi"))).toEqual([
    // The attempts of a delivery of an older release: `webhooks.attempts`.
    'src/storage/redis/adopt-deliveries.ts: lrange(`${base}a:${id}`, 0, "-1',
    // The messages of an inbox: `inbox.maxMessages`.
    "src/storage/redis/inbox-scripts.ts: zrange', log, from, -1",
    "src/storage/redis/inbox-scripts.ts: zrange', log, 0, -1",
    // The last one.
    "src/storage/redis/inbox-scripts.ts: zrange', log, -1",
    // The servers.
    'src/storage/redis/nodes.ts: zrange(key, 0, "-1',
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
    "src/services/transfer/parts.ts: collection.ids(",
    "src/services/transfer/parts.ts: collection.ids(",
    "src/services/webhooks/endpoints.ts: endpoints.all(",
  ]);
});
