import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { minuteMs } from "../../../../src/storage/key-uses.ts";
import { hourMs, toHourName } from "../../../../src/storage/usage/usage-store.ts";
import { testRuntime } from "../../../support/runtime.ts";
import { openTestStore } from "../../../support/store.ts";
import { usageRow } from "../../../unit/storage/usage/usage-row.ts";
import { redisOptions } from "../drivers.ts";
import { startCluster } from "../redis-cluster.ts";
import { startRedis } from "../redis-server.ts";
import { monitor } from "./monitor.ts";

const hour = Math.floor(Date.now() / hourMs) * hourMs;
const minute = hour / minuteMs;

async function startOne() {
  const server = await startRedis();
  return { servers: [server], url: server.url, masterOf: async () => server, close: server.close };
}

describe.each([
  ["one server", startOne],
  ["a cluster", startCluster],
] as const)("over %s", (kind, start) => {
  const tag = (text: string): string => (kind === "a cluster" ? `{${text}}` : text);

  async function begin() {
    const redis = await start();
    onTestFinished(redis.close);
    const options = redisOptions(redis.url);
    const { prefix } = options;
    const runtime = testRuntime({
      now: Date.now,
      monotonic: () => performance.now(),
      random: (size) => randomBytes(size),
    });
    return {
      servers: redis.servers.slice(0, 3),
      open: async () => (await openTestStore({ driver: "redis", redis: options, runtime })).store,
      async command(name: string, key: string, ...words: (string | number)[]): Promise<unknown> {
        return (await redis.masterOf(prefix + key)).command(name, prefix + key, ...words);
      },
    };
  }

  test("the usage of one account over 90 days is read from its own names, and that of all from their sums", async () => {
    const { servers, open } = await begin();
    const usage = await (await open()).usage();
    const names = Array.from({ length: 30 }, (_, n) => `a${n}`);
    for (let back = 0; back < 89 * 24; back += 500) {
      const rows = names.map((name) => usageRow(name, "key_1", "uuid", { ok: 1 }));
      await usage.add({ id: `n-${back}`, hour: hour - back * hourMs, rows });
    }
    const { take } = await monitor(servers);
    const from = hour - 90 * 24 * hourMs;
    expect(await Array.fromAsync(usage.read(from, hour + hourMs, "a7"))).toHaveLength(5);
    const readNames = async (): Promise<string[]> =>
      (await take()).flatMap(({ words: [name = "", key = ""] }) => (/^hscan$/i.test(name) ? [key] : []));
    const own = await readNames();
    expect(own).toHaveLength(91);
    expect(own.filter((name) => !name.includes(`:usage:of:${tag("a7")}:`))).toEqual([]);
    const sums = await Array.fromAsync(usage.totals?.(from, hour + hourMs) ?? []);
    expect(sums.map(({ ok, tool }) => [ok, tool])).toEqual(Array.from({ length: 5 }, () => [30, "uuid"]));
    expect((await readNames()).filter((name) => !name.includes(":usage:all:"))).toEqual([]);
  });

  test("usage and last uses of an older release are moved when the store is taken over, and afterwards, each once", async () => {
    const { open, command } = await begin();
    const of = (at: number): string => `usage:${tag(toHourName(at))}`;
    const add = (at: number, field: string, by: number) => command("HINCRBY", of(at), field, by);
    await command("SET", `${tag("store")}:3`, '{"v":3,"id":"old"}');
    for (let n = 0; n < 700; n++) await add(hour - 30 * 24 * hourMs, `a${n}/key_1/uuid/ok`, n + 1);
    await add(hour, "a1/key_1/uuid/ok", 5);
    await add(hour, "(free)/-/hash/limited", 2);
    await add(hour, "(free)/-/hash/inputBytes", 9);
    for (let n = 0; n < 700; n++)
      await command("HSET", "last-used", `key_${n.toString(16).padStart(20, "0")}`, minute - n);
    await command("HSET", "last-used", "since", minute - 5000);
    const store = await open();
    const usage = await store.usage();
    const rowsOf = async (account: string) =>
      (await Array.fromAsync(usage.read(hour - 40 * 24 * hourMs, hour + hourMs, account))).map((row) => [
        row.tool,
        row.ok,
        row.limited,
        row.inputBytes,
      ]);
    expect(await rowsOf("a1")).toEqual([
      ["uuid", 2, 0, 0],
      ["uuid", 5, 0, 0],
    ]);
    expect(await rowsOf("a699")).toEqual([["uuid", 700, 0, 0]]);
    expect(await rowsOf("(free)")).toEqual([["hash", 0, 2, 9]]);
    const everybody = await Array.fromAsync(usage.read(hour - 40 * 24 * hourMs, hour));
    expect(everybody.reduce((sum, { ok }) => sum + ok, 0)).toBe((700 * 701) / 2);
    const uses = await store.keyUses();
    const { since, last } = await uses.read();
    expect(last.size).toBe(700);
    expect(since).toBe((minute - 5000) * minuteMs);
    expect(last.get(`key_${"2bb".padStart(20, "0")}`)).toBe((minute - 699) * minuteMs);
    expect(await command("EXISTS", of(hour))).toBe(0);
    expect(await command("EXISTS", "last-used")).toBe(0);

    // A server of that release still runs, and one of this release was killed before it had counted what it had set aside, and another after that.
    await add(hour, "a1/key_1/uuid/ok", 1);
    await command("HSET", `${of(hour - hourMs)}:moving`, "+id", "movedbefore", "a2/key_1/uuid/ok", 3);
    const rows = [usageRow("a3", "key_1", "uuid", { ok: 4 })];
    await command("HSET", `${of(hour - 2 * hourMs)}:moving`, "+id", "movedafter", "a3/key_1/uuid/ok", 4);
    await usage.add({ id: "movedafter", hour: hour - 2 * hourMs, rows });
    await store.close();
    await open();
    const exist = () =>
      Promise.all(
        [of(hour), `${of(hour - hourMs)}:moving`, `${of(hour - 2 * hourMs)}:moving`].map((name) =>
          command("EXISTS", name),
        ),
      );
    await expect.poll(exist).toEqual([0, 0, 0]);
    const again = await (await open()).usage();
    const recent = async (account: string) =>
      (await Array.fromAsync(again.read(hour - 3 * hourMs, hour + hourMs, account))).map(({ ok }) => ok);
    expect(await recent("a1")).toEqual([6]);
    expect(await recent("a2")).toEqual([3]);
    expect(await recent("a3")).toEqual([4]);
  });
});
