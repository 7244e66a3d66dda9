import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { createLive, type Live } from "../../../../../src/services/events/live/live.ts";
import { executable } from "../../../e2e/harness.ts";
import { createRandom } from "../../../../unit/services/setup.ts";
import { redisOptions, sharedRedis } from "../../../storage/drivers.ts";
import { openTestStore } from "../../../../support/store.ts";
import { startRedis } from "../../../storage/redis-server.ts";
import { numberOf, toEvent } from "../../../../unit/services/events/live/live-events.ts";
import { testRuntime } from "../../../../support/runtime.ts";

const script = new URL("./live-node.ts", import.meta.url).pathname;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const random = createRandom();

async function openLive(url: string, prefix: string) {
  const { store, errors } = await openTestStore({ driver: "redis", redis: redisOptions(url, { prefix }) });
  const faults: unknown[] = [];
  const live = createLive({
    channel: store.channel,
    runtime: testRuntime({ random, report: (error) => faults.push(error) }),
  });
  onTestFinished(() => live.close());
  return { store, live, errors, faults };
}

function collect(live: Live): number[] {
  const heard: number[] = [];
  live.listen("event", "ci", (event) => heard.push(numberOf(event)));
  return heard;
}

/** A second process; resolves when it is subscribed. */
async function spawnNode(url: string, prefix: string) {
  const child = spawn(process.execPath, [script, url, prefix], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const heard: number[] = [];
  const ready = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line === "ready") ready.resolve();
    else for (const number of line.split(" ")) heard.push(Number(number));
  });
  await ready.promise;
  return {
    heard,
    publish: (count: number) => void child.stdin.write(`${count}\n`),
    async end(): Promise<number | null> {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
      return child.exitCode;
    },
  };
}

test("two processes publish 1,500 events each to one another: none is lost, none duplicated, each in order", async () => {
  const { url } = await sharedRedis();
  const prefix = "penknife:live1:";
  const { live, faults } = await openLive(url, prefix);
  const heard = collect(live);
  await live.ready();
  const other = await spawnNode(url, prefix);
  for (let n = 0; n < 1_500; n++) live.publish("event", "ci", toEvent(n));
  await expect.poll(() => other.heard.length).toBe(1_500);
  expect(other.heard).toEqual(numbers(1_500));
  // Its own events were delivered at once, and have not come back.
  expect(heard).toEqual(numbers(1_500));
  other.publish(1_500);
  await expect.poll(() => heard.length).toBe(3_000);
  expect(heard.slice(1_500)).toEqual(numbers(1_500));
  expect(await other.end()).toBe(0);
  expect(other.heard).toHaveLength(3_000);
  expect(faults).toEqual([]);
});

test("a node subscribes to Redis only while it has listeners, and leaves no connection behind", async () => {
  const redis = await sharedRedis();
  const prefix = "penknife:live2:";
  const { live, store } = await openLive(redis.url, prefix);
  const listening = async (): Promise<unknown> =>
    ((await redis.command("PUBSUB", "NUMSUB", `${prefix}live:*`)) as unknown[])[1];
  live.publish("event", "ci", toEvent(0));
  expect(await listening()).toBe(0);
  const end = live.listen("event", undefined, () => {});
  await live.ready();
  expect(await listening()).toBe(1);
  end();
  await expect.poll(listening).toBe(0);
  live.listen("event", undefined, () => {});
  await live.ready();
  expect(await listening()).toBe(1);
  await store.close();
  await expect.poll(listening).toBe(0);
});

test("a node hears of the accounts for which it has listeners alone, and of each event once while it begins to listen for all", async () => {
  const redis = await sharedRedis();
  const prefix = "penknife:live7:";
  const [here, there] = [await openLive(redis.url, prefix), await openLive(redis.url, prefix)];
  const channels = () => redis.command("PUBSUB", "CHANNELS", `${prefix}live:*`);
  const heard = collect(here.live);
  await here.live.ready();
  expect(await channels()).toEqual([`${prefix}live:ci`]);
  const all: number[] = [];
  for (let n = 0; n < 400; n++) {
    there.live.publish("event", "ci", toEvent(n));
    if (n === 200) here.live.listen("event", undefined, (event) => all.push(numberOf(event)));
    if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await expect.poll(() => heard.at(-1)).toBe(399);
  expect(new Set(heard).size).toBe(heard.length);
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  await expect.poll(channels).toEqual([`${prefix}live:*`]);
});

test("operator commands publish their changes to listeners in servers before they exit", async () => {
  const { url } = await sharedRedis();
  const prefix = "cli-live:";
  const { live } = await openLive(url, prefix);
  const events: unknown[] = [];
  const deliveries: unknown[] = [];
  live.listen("event", "ci", ({ type }) => events.push(type));
  live.listen("delivery", undefined, ({ type, state }) => deliveries.push([type, state]));
  await live.ready();
  const penknife = async (line: string, env: Record<string, string> = {}) => {
    const child = spawn(executable, ["admin", ...line.split(" ")], {
      stdio: "ignore",
      env: {
        PENKNIFE_STORAGE_DRIVER: "redis",
        PENKNIFE_STORAGE_URL: url,
        PENKNIFE_STORAGE_PREFIX: prefix,
        PENKNIFE_WEBHOOKS_ALLOW_CIDRS: "127.0.0.0/8",
        ...env,
      },
    });
    const [status] = (await once(child, "exit")) as [number];
    expect(status).toBe(0);
  };
  await penknife("accounts create ci --plan pro");
  await penknife("webhooks add http://127.0.0.1:9/ --account ci");
  await penknife("keys issue --account ci");
  await expect.poll(() => events).toEqual(["account.updated", "key.issued"]);
  await expect.poll(() => deliveries).toEqual([["key.issued", "waiting"]]);
  // With GraphQL disabled there are no listeners, and nothing is published.
  await penknife("keys issue --account ci", { PENKNIFE_GRAPHQL_ENABLED: "false" });
  await penknife("accounts disable ci");
  await expect.poll(() => events).toHaveLength(3);
  expect(events.at(-1)).toBe("account.updated");
});

test("stores with other prefixes receive nothing", async () => {
  const { url } = await sharedRedis();
  const here = await openLive(url, "penknife:live3:");
  const there = await openLive(url, "penknife:live4:");
  const heard = collect(there.live);
  await there.live.ready();
  here.live.publish("event", "ci", toEvent(1));
  there.live.publish("event", "ci", toEvent(2));
  await here.live.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(heard).toEqual([2]);
});

test("without Redis live events are lost, and nothing else; when it is back they are delivered again", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const here = await openLive(redis.url, "penknife:live5:");
  const there = await openLive(redis.url, "penknife:live5:");
  const own = collect(here.live);
  const heard = collect(there.live);
  await there.live.ready();
  await redis.kill();
  for (let n = 0; n < 1000; n++) here.live.publish("event", "ci", toEvent(n));
  expect(own).toEqual(numbers(1000));
  await expect.poll(() => here.store.status?.().up).toBe(false);
  await redis.start();
  // Its nodes take a moment to reconnect, and events published before that are lost.
  await expect
    .poll(
      () => {
        here.live.publish("event", "ci", toEvent(1000));
        return heard.includes(1000);
      },
      { interval: 100 },
    )
    .toBe(true);
  expect(heard.filter((n) => n < 1000)).toEqual([]);
  expect([...here.faults, ...there.faults]).toEqual([]);
});

test("a Redis user who may not publish or subscribe loses live events, and nothing else", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  await redis.command("ACL", "SETUSER", "deaf", "on", ">secret", "~*", "+@all", "resetchannels");
  const url = `redis://deaf:secret@127.0.0.1:${redis.port}/0`;
  const { live, store, faults } = await openLive(url, "penknife:live6:");
  const heard = collect(live);
  const began = performance.now();
  await live.ready();
  expect(performance.now() - began).toBeLessThan(60_000);
  live.publish("event", "ci", toEvent(1));
  await live.close();
  expect(heard).toEqual([1]);
  expect(faults).toEqual([]);
  expect(store.status?.().up).toBe(true);
  await store.check();
});
