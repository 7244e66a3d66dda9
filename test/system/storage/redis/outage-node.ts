import { beforeEach, expect } from "vitest";
import type { ToolError } from "../../../../src/catalog/errors.ts";
import type { SharedOptions, Store } from "../../../../src/storage/storage.ts";
import { redisOptions } from "../drivers.ts";
import { openTestStore } from "../../../support/store.ts";
import { type Proxy, startProxy } from "../redis-proxy.ts";
import { type RedisServer, startRedis } from "../redis-server.ts";

export const id = "account:acme";

/** For the current test. */
export let redis: RedisServer;
export let proxy: Proxy;

beforeEach(async () => {
  redis = await startRedis(["--appendonly", "yes"]);
  proxy = await startProxy(() => redis.port);
  return async () => {
    await proxy.close();
    await redis.close();
  };
});

export interface Node {
  store: Store;
  notices: string[];
  reasons(): string[];
  degraded(): number;
  /** The outcome of a request for one point: used, or the code of the refusal. */
  ask(limit: number, points?: number): Promise<number | string>;
}

export async function node(options: Partial<SharedOptions> = {}): Promise<Node> {
  const notices: string[] = [];
  let degraded = 0;
  const { store, errors } = await openTestStore({
    driver: "redis",
    redis: redisOptions(proxy.url, {
      prefix: "p:",
      onNotice: (level, text) => void notices.push(`${level}: ${text}`),
      onDegraded: () => void (degraded += 1),
      ...options,
    }),
  });
  return {
    store,
    notices,
    reasons: () => errors.map(({ reason }) => reason),
    degraded: () => degraded,
    async ask(limit, points = 1) {
      try {
        const { allowed, used } = await store.counters.consume(id, points, limit);
        return allowed ? used : "refused";
      } catch (error) {
        return (error as ToolError).code;
      }
    },
  };
}

export const counted = async (): Promise<number> => Number(await redis.command("GET", `p:count:${id}`));
export const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));
/**
 * Whether the work ends before a timer of this many milliseconds that starts with it: in one event loop, which fires timers in order
 * however late it is.
 */
export async function before(ms: number, work: () => Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  void work().then(() => resolve(true));
  const first = await promise;
  clearTimeout(timer);
  return first;
}

export const isUp = (one: Node) => one.store.status?.().up;

/** Until calls fail at once. */
export async function noticed(one: Node): Promise<void> {
  for (let n = 0; n < 3; n++) {
    await Promise.try(() => one.store.counters.consume(`ip:probe${n}`, 1, 100)).catch(() => undefined);
  }
  expect(isUp(one)).toBe(false);
}
