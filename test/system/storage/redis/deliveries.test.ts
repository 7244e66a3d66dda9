import { describe, expect, test } from "vitest";
import { sharedAs, sharedRedis } from "../drivers.ts";
import { testQueue } from "../../../unit/storage/deliveries/conformance.ts";
import { openQueue } from "./connection.ts";
import { testRuntime } from "../../../support/runtime.ts";

let prefixes = 0;

describe.each(["redis", "cluster"] as const)("%s", (driver) => {
  testQueue({
    name: "by a clock that is set",
    unit: 1000,
    async open(options) {
      let now = Date.now();
      const time = (): number => now;
      const prefix = `penknife:queue${++prefixes}:`;
      const { url } = await sharedAs(driver);
      const open = () => openQueue(url, prefix, { ...options, runtime: testRuntime({ now: time }), time });
      return {
        queue: await open(),
        now: time,
        async pass(ms) {
          now += ms;
        },
        reopen: open,
      };
    },
  });
});

test("the deliveries of one account are listed without reading those of others, and removed with their log", async () => {
  const redis = await sharedRedis();
  let now = Date.now();
  const time = (): number => now;
  const prefix = `penknife:queue${++prefixes}:`;
  const queue = await openQueue(redis.url, prefix, {
    perEndpoint: 4,
    circuit: { after: 10, everyMs: 60_000 },
    runtime: testRuntime({ now: time }),
    time,
  });
  const add = async (id: string, account: string) =>
    queue.add({ id, type: "key.issued", account, body: "{}" }, ["we_a"]);
  const [first] = await add("evt_first", "acme");
  for (let n = 0; n < 500; n++) await add(`evt_${n}`, n % 2 === 0 ? "other" : "acme-2");
  const [last] = await add("evt_last", "acme");
  const read = async (): Promise<number> => {
    const text = String(await redis.command("INFO", "commandstats"));
    return Number(/cmdstat_hget:calls=(\d+)/.exec(text)?.[1] ?? 0);
  };
  const before = await read();
  const found = await queue.list({ account: "acme", limit: 10 });
  expect(found.map(({ id }) => id)).toEqual([last?.id, first?.id]);
  expect((await read()) - before).toBe(2);
  expect(await queue.list({ account: "acme", endpoint: "we_a", limit: 1 })).toMatchObject([{ id: last?.id }]);
  now += 1000;
  while (!(await queue.prune({ lifetimeMs: 10, keptMs: 1e9, reason: "late" })));
  now += 1000;
  while (!(await queue.prune({ lifetimeMs: 10, keptMs: 10, reason: "late" })));
  expect(await redis.command("KEYS", `${prefix}{wh:*}:log`)).toEqual([]);
});
