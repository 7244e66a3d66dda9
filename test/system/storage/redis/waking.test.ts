import { describe, expect, onTestFinished, test } from "vitest";
import { createRedisQueue } from "../../../../src/storage/redis/deliveries.ts";
import { startCluster } from "../redis-cluster.ts";
import { startRedis } from "../redis-server.ts";
import { monitor } from "./monitor.ts";
import { openConnection, queueDefaults } from "./open-connection.ts";

async function startOne() {
  const server = await startRedis();
  return { servers: [server], url: server.url, close: server.close };
}

describe.each([
  ["one server", startOne, "publish"],
  ["a cluster", startCluster, "spublish"],
] as const)("over %s", (_kind, start, command) => {
  test("an event wakes one node, another one each time, and none that is gone", async () => {
    const { servers, url, close } = await start();
    onTestFinished(close);
    const open = async () => {
      const connection = await openConnection(url, "p:");
      onTestFinished(connection.close);
      const queue = createRedisQueue({ ...connection, ...queueDefaults });
      onTestFinished(() => queue.close());
      return queue;
    };
    const [adder, ...nodes] = await Promise.all([open(), open(), open(), open()]);
    const woken = nodes.map(() => 0);
    const ends = nodes.map((node, n) => node.onWake(() => void (woken[n] = (woken[n] ?? 0) + 1)));
    const { take } = await monitor(servers.slice(0, 3));
    let events = 0;
    /** Adds events of one account, and returns by channel how often it was called, and how often by a script that others did not repeat. */
    async function wakes(count: number): Promise<number[]> {
      await take();
      for (let n = 0; n < count; n++) {
        const event = { id: `evt_${(events += 1)}`, type: "key.issued", account: "acme", body: "{}" };
        await adder.add(event, ["we_a"]);
      }
      const calls = (await take()).filter(({ words: [name = ""] }) => name.toLowerCase() === command);
      const channels = Map.groupBy(calls, ({ words: [, channel = ""] }) => channel);
      return [...channels.values()].map(({ length }) => length).toSorted((a, b) => a - b);
    }
    await expect.poll(() => wakes(9)).toEqual([3, 3, 3]);
    ends[0]?.();
    // Its channel has no listener, which the next event finds out.
    await expect.poll(() => wakes(8)).toEqual([4, 4]);
    ends[1]?.();
    ends[2]?.();
    await expect.poll(() => wakes(3)).toEqual([]);
    expect(woken.every((count) => count > 0)).toBe(true);
  });
});
