import { expect, onTestFinished, test } from "vitest";
import { createAccounts } from "../../../../src/services/access/accounts.ts";
import { createKeys } from "../../../../src/services/access/keys.ts";
import { createSessions } from "../../../../src/services/access/sessions/sessions.ts";
import { toKeyData } from "../../../../src/services/events/with-events.ts";
import { startSweep } from "../../../../src/services/webhooks/sweep.ts";
import { createRandom, createTestOutbox } from "../../../unit/services/setup.ts";
import { createClock } from "../../../unit/services/webhooks/clock.ts";
import { openTestStore } from "../../../support/store.ts";
import { redisOptions } from "../drivers.ts";
import { startRedis } from "../redis-server.ts";
import { monitor } from "./monitor.ts";
import { testRuntime } from "../../../support/runtime.ts";

/** Commands that read everything there is, the names of others included. */
const enumerating = /^(?:scan|keys|hgetall|smembers|sscan|hkeys|hvals|randomkey)$/i;

test("no command of a start, an act, an event, a listing or a sweep enumerates names", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const { take } = await monitor([redis]);
  const clock = createClock();
  const runtime = testRuntime({ now: clock.now, random: createRandom() });
  const errors: unknown[] = [];

  const { store } = await openTestStore({ driver: "redis", redis: redisOptions(redis.url), runtime });
  const outbox = createTestOutbox(store, clock.now);
  const keys = createKeys({ store, runtime, maxKeyDays: 0 });
  const accounts = createAccounts({ store, keys, runtime });
  const sessions = createSessions({ store, runtime });
  const person = { issuer: "proxy", subject: "zoe" };

  await accounts.create({ name: "acme", plan: "team" });
  await outbox.endpoints.add({ account: "acme", url: "https://93.184.215.14/hook" });
  const { key, record } = await keys.issue({ account: "acme", expires: "5d" });
  await outbox.publisher.publish("key.issued", "acme", { key: toKeyData(record) });
  await keys.rotate(record.id);
  await keys.revoke(key);
  await keys.revokeAll("acme");
  expect((await keys.list({ account: "acme" })).records).toHaveLength(2);
  await sessions.begin((await sessions.issueCode("acme")).code);
  await sessions.open(person, { account: "acme" });
  await sessions.revokeAll(person);
  await sessions.list({ account: "acme" });
  await accounts.disable("acme");
  await expect(accounts.get("acmee")).rejects.toThrow("Did you mean acme?");
  const sweep = startSweep({
    store,
    ...outbox,
    runtime,
    wait: clock.wait,
    onNotice: () => {},
    onError: (error) => errors.push(error),
  });
  await clock.pass(5000);
  await sweep.stop();
  await accounts.list();
  await accounts.remove("acme");
  await store.close();
  const commands = await take();

  expect(errors).toEqual([]);
  expect(commands.length).toBeGreaterThan(100);
  expect(commands.filter(({ words: [name = ""] }) => enumerating.test(name))).toEqual([]);
});
