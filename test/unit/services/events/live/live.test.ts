import { describe, expect, test } from "vitest";
import type { EventBody } from "../../../../../src/services/events/types.ts";
import { createLive, type Live } from "../../../../../src/services/events/live/live.ts";
import type { Channel } from "../../../../../src/storage/redis/channel.ts";
import { createRandom } from "../../setup.ts";
import { numberOf, toEvent as event } from "./live-events.ts";
import { testRuntime } from "../../../../support/runtime.ts";

const random = createRandom();
const fail = (error: unknown): never => expect.unreachable(String(error));

/** Messages between nodes, here: each node receives all, after a turn, unless it is cut off. */
function createAir() {
  const ears = new Set<(message: string) => void>();
  const topics = new Map<(message: string) => void, string>();
  const air = {
    calls: [] as string[],
    ears,
    fails: false,
    opened: 0,
    closed: 0,
    async channel(name: string): Promise<Channel> {
      expect(name).toBe("live");
      air.opened += 1;
      return {
        async call(topic, message) {
          await Promise.resolve();
          if (air.fails) throw new Error("nobody there");
          air.calls.push(message);
          for (const ear of ears) if (topics.get(ear) === topic) ear(message);
        },
        listen(topic, listener) {
          const ear = (message: string): void => listener(message);
          ears.add(ear);
          topics.set(ear, topic);
          return () => void ears.delete(ear);
        },
        ready: async () => {},
        close: async () => void (air.closed += 1),
      };
    },
  };
  return air;
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** The numbers of the received events. */
function collect(live: Live, account?: string): { heard: number[]; end: () => void } {
  const heard: number[] = [];
  const end = live.listen("event", account, (value) => heard.push(numberOf(value)));
  return { heard, end };
}

describe("in one process", () => {
  test("all listeners receive 10,000 events, none lost, none duplicated, in order, before the publishing call returns", () => {
    const live = createLive({ runtime: testRuntime({ random, report: fail }) });
    const readers = Array.from({ length: 50 }, () => collect(live, "ci"));
    const all = collect(live);
    for (let n = 0; n < 10_000; n++) {
      live.publish("event", "ci", event(n));
      expect(all.heard.length).toBe(n + 1);
    }
    const numbers = Array.from({ length: 10_000 }, (_, n) => n);
    for (const { heard } of [...readers, all]) expect(heard).toEqual(numbers);
  });

  test("a listener receives the events of its account and of its topic only", () => {
    const live = createLive({ runtime: testRuntime({ random, report: fail }) });
    const ci = collect(live, "ci");
    const other = collect(live, "other");
    const deliveries: unknown[] = [];
    live.listen("delivery", undefined, (view) => deliveries.push(view));
    live.publish("event", "ci", event(1));
    live.publish("event", "other", event(2, "other"));
    expect([ci.heard, other.heard, deliveries]).toEqual([[1], [2], []]);
  });

  test("hasSubscribers says whether an event has to be created at all", async () => {
    const live = createLive({ runtime: testRuntime({ random, report: fail }) });
    expect(live.hasSubscribers("event", "ci")).toBe(false);
    expect(live.hasSubscribers("event")).toBe(false);
    const ci = collect(live, "ci");
    expect([
      live.hasSubscribers("event", "ci"),
      live.hasSubscribers("event", "x"),
      live.hasSubscribers("delivery", "ci"),
    ]).toEqual([true, false, false]);
    const all = collect(live);
    expect(live.hasSubscribers("event", "x")).toBe(true);
    all.end();
    ci.end();
    ci.end();
    expect(live.hasSubscribers("event", "ci")).toBe(false);
    collect(live);
    await live.close();
    expect(live.hasSubscribers("event", "ci")).toBe(false);
  });

  test("the same function may listen twice, and each ends separately, also while it is called", () => {
    const live = createLive({ runtime: testRuntime({ random, report: fail }) });
    const heard: string[] = [];
    const listener = ({ id }: EventBody) => void heard.push(id);
    const first = live.listen("event", "ci", listener);
    const second = live.listen("event", "ci", (value) => {
      listener(value);
      second();
    });
    live.publish("event", "ci", event(1));
    live.publish("event", "ci", event(2));
    first();
    live.publish("event", "ci", event(3));
    expect(heard).toEqual(["evt_1", "evt_1", "evt_2"]);
    expect(live.hasSubscribers("event", "ci")).toBe(false);
  });

  test("a listener that throws does not affect the others, nor the publisher", () => {
    const faults: unknown[] = [];
    const live = createLive({ runtime: testRuntime({ random, report: (error) => faults.push(error) }) });
    live.listen("event", "ci", () => {
      throw new Error("a bug");
    });
    const { heard } = collect(live, "ci");
    live.publish("event", "ci", event(1));
    expect(heard).toEqual([1]);
    expect(faults).toEqual([new Error("a bug")]);
  });

  test("a duplicate event is delivered once, and old ids are forgotten", () => {
    const live = createLive({ runtime: testRuntime({ random, report: fail }) });
    const { heard } = collect(live, "ci");
    live.publish("event", "ci", event(1), "limit:ci:1");
    live.publish("event", "ci", event(2), "limit:ci:1");
    live.publish("event", "ci", event(3), "limit:ci:2");
    expect(heard).toEqual([1, 3]);
    for (let n = 0; n < 10_000; n++) live.publish("event", "x", event(n, "x"), `limit:x:${n}`);
    live.publish("event", "ci", event(4), "limit:ci:1");
    expect(heard).toEqual([1, 3, 4]);
  });

  test("once closed it delivers nothing and has no listeners", async () => {
    const live = createLive({ runtime: testRuntime({ random, report: fail }) });
    const { heard, end } = collect(live);
    await live.close();
    live.publish("event", "ci", event(1));
    end();
    expect(collect(live).heard).toEqual([]);
    expect(heard).toEqual([]);
    await live.close();
  });
});

describe("on several nodes", () => {
  test("each receives all, its own at once and once", async () => {
    const air = createAir();
    const nodes = [1, 2, 3].map(() =>
      createLive({ channel: air.channel, runtime: testRuntime({ random, report: fail }) }),
    );
    const readers = nodes.map((node) => collect(node, "ci"));
    await Promise.all(nodes.map((node) => node.ready()));
    for (let n = 0; n < 3000; n++) nodes[n % 3]?.publish("event", "ci", event(n));
    expect(readers[0]?.heard).toHaveLength(1000);
    await settle();
    const numbers = Array.from({ length: 3000 }, (_, n) => n);
    for (const { heard } of readers) expect(heard.toSorted((a, b) => a - b)).toEqual(numbers);
    // The events of each node in order.
    expect(readers[1]?.heard.filter((n) => n % 3 === 0)).toEqual(numbers.filter((n) => n % 3 === 0));
    // Events published in one turn are sent together.
    expect(air.calls.length).toBeLessThan(30);
  });

  test("a node subscribes to the others only while it has listeners", async () => {
    const air = createAir();
    const live = createLive({ channel: air.channel, runtime: testRuntime({ random, report: fail }) });
    const one = collect(live, "ci");
    const two = collect(live);
    await live.ready();
    expect(air.ears.size).toBe(1);
    one.end();
    expect(air.ears.size).toBe(1);
    two.end();
    await settle();
    expect(air.ears.size).toBe(0);
    // Ended before it had started.
    collect(live).end();
    await settle();
    expect(air.ears.size).toBe(0);
    collect(live);
    await live.ready();
    expect([air.ears.size, air.opened]).toEqual([1, 1]);
  });

  test("an event that several publish is received once by each", async () => {
    const air = createAir();
    const nodes = [1, 2].map(() =>
      createLive({ channel: air.channel, runtime: testRuntime({ random, report: fail }) }),
    );
    const readers = nodes.map((node) => collect(node));
    await Promise.all(nodes.map((node) => node.ready()));
    for (const [n, node] of nodes.entries()) node.publish("event", "ci", event(n), "limit.warning:ci:7");
    await settle();
    for (const [n, { heard }] of readers.entries()) expect(heard).toEqual([n]);
  });

  test("failed sends are lost, and nothing else: no error, no growing memory, and the next ones are received", async () => {
    const air = createAir();
    const [here, there] = [1, 2].map(() =>
      createLive({ channel: air.channel, runtime: testRuntime({ random, report: fail }) }),
    );
    if (here === undefined || there === undefined) throw new Error("unreachable");
    const own = collect(here);
    const others = collect(there);
    await Promise.all([here.ready(), there.ready()]);
    air.fails = true;
    for (let n = 0; n < 100; n++) here.publish("event", "ci", event(n));
    await settle();
    air.fails = false;
    here.publish("event", "ci", event(100));
    await settle();
    expect(own.heard).toHaveLength(101);
    expect(others.heard).toEqual([100]);
  });

  test("an event published while 10,000 wait to be sent is lost to the others", async () => {
    const air = createAir();
    const [here, there] = [1, 2].map(() =>
      createLive({ channel: air.channel, runtime: testRuntime({ random, report: fail }) }),
    );
    if (here === undefined || there === undefined) throw new Error("unreachable");
    const others = collect(there);
    await there.ready();
    await here.ready();
    for (let n = 0; n < 30_000; n++) here.publish("event", "ci", event(n));
    await settle();
    expect(others.heard.length).toBeGreaterThanOrEqual(10_000);
    expect(others.heard.length).toBeLessThan(11_000);
    expect(others.heard.slice(0, 10_000)).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
  });

  test("foreign messages are ignored", async () => {
    const air = createAir();
    const live = createLive({ channel: air.channel, runtime: testRuntime({ random, report: fail }) });
    const { heard } = collect(live);
    await live.ready();
    const other = { from: "another", told: [] as unknown[], numbers: [1, 2] };
    const right = JSON.stringify({
      ...other,
      told: [
        ["event", "ci", event(1)],
        ["later", "ci", {}, 1],
      ],
    });
    const messages = [
      "",
      "{",
      "null",
      "7",
      JSON.stringify({ from: "another" }),
      JSON.stringify({ ...other, told: [null, 7, [], ["job", "ci", {}], ["event", 7, {}], ["event", "ci"]] }),
      // Of a release without topics.
      JSON.stringify({ from: "another", told: [["event", "ci", event(0)]] }),
      right,
      // By two topics.
      right,
    ];
    for (const message of messages) for (const ear of air.ears) ear(message);
    expect(heard).toEqual([1]);
  });

  test("close sends what was published", async () => {
    const air = createAir();
    const [here, there] = [1, 2].map(() =>
      createLive({ channel: air.channel, runtime: testRuntime({ random, report: fail }) }),
    );
    if (here === undefined || there === undefined) throw new Error("unreachable");
    const { heard } = collect(there);
    await there.ready();
    for (let n = 0; n < 2000; n++) here.publish("event", "ci", event(n));
    await here.close();
    expect(heard).toHaveLength(2000);
    expect(air.closed).toBe(1);
  });

  test("waiting for the subscription has an end", async () => {
    const air = createAir();
    const live = createLive({
      channel: async (name) => ({ ...(await air.channel(name)), ready: () => new Promise(() => {}) }),
      runtime: testRuntime({ random, report: fail }),
    });
    collect(live);
    const began = performance.now();
    await live.ready();
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  test("a channel that cannot be opened is a fault of the server, and is retried", async () => {
    const air = createAir();
    const faults: unknown[] = [];
    let broken = true;
    const live = createLive({
      channel: (name) => (broken ? Promise.reject(new Error("no memory")) : air.channel(name)),
      runtime: testRuntime({ random, report: (error) => faults.push(error) }),
    });
    const { heard } = collect(live);
    live.publish("event", "ci", event(1));
    await expect.poll(() => faults.length).toBeGreaterThan(0);
    broken = false;
    live.publish("event", "ci", event(2));
    // To those who listen for the account, and to those who listen for all.
    await expect.poll(() => air.calls.length).toBe(2);
    expect(heard).toEqual([1, 2]);
  });
});
