import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Redis, RedisOptions } from "ioredis";
import type { Driver } from "unstorage";
import createDriver from "unstorage/drivers/redis";
import { StoreError } from "../errors.ts";
import { explainRedis, isLasting, isNoDatabase } from "./explain.ts";
import { TimeoutError } from "./guard.ts";
import { inspectRedis } from "./inspect.ts";
import { parseRedisUrl } from "./url.ts";
import type { Runtime } from "../../runtime.ts";

export interface RedisConnection {
  client: Redis;
  /** The library's driver, over the same connection. */
  driver: Driver;
  /** `host:port/database`, for messages. */
  name: string;
  warnings: readonly string[];
  /** Returns why the connection cannot be used now; undefined if it can. */
  fault(): unknown;
}

export interface ConnectOptions {
  url: string;
  prefix: string;
  runtime: Runtime;
  /** Milliseconds to wait for a server that is not there yet. */
  patienceMs: number;
}

const pauseMs = 200;
/** Reconnecting fails the requests of a moment, and the address may lead to the same server for a long time. */
const reconnectEveryMs = 5000;
/** A frozen sentinel accepts connections too; the next one may know the primary. */
const sentinelMs = 1000;

/**
 * The client's defaults would queue commands for ever while there is no connection, and repeat commands in flight when
 * it is back, which counts a request twice.
 */
const base = {
  // The newer protocol would cost a command for each connection, and older servers and proxies do not know it.
  protocol: 2,
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  enableAutoPipelining: true,
  connectTimeout: 2000,
  // Commands must be answered: otherwise a connection that a firewall dropped stays dead for a quarter of an hour.
  socketTimeout: 10_000,
  keepAlive: 10_000,
  connectionName: "penknife",
  // Soon, and on all nodes at nearly the same time: see `settleMs` of the guard.
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), 250),
} as const satisfies RedisOptions;

/** @throws StoreError `open` that says what the operator has to do. */
export async function connectRedis({
  url,
  prefix,
  runtime,
  patienceMs,
}: ConnectOptions): Promise<RedisConnection> {
  const { options, tls, name } = parseRedisUrl(url);
  const secure = tls && { ...readTls(tls), ...toServerName(options.host) };
  let reconnectedAt = -Infinity;
  const driver = createDriver({
    ...base,
    // After a failover the old primary is a replica: look for the new one.
    reconnectOnError(error: Error) {
      if (!error.message.startsWith("READONLY") || runtime.monotonic() - reconnectedAt < reconnectEveryMs)
        return false;
      reconnectedAt = runtime.monotonic();
      return 1;
    },
    ...options,
    ...(secure !== undefined && { tls: secure }),
    // The client asks sentinels over separate connections, which inherit none of the options above.
    ...(options.sentinels !== undefined && {
      sentinelCommandTimeout: sentinelMs,
      ...(secure !== undefined && { enableTLSForSentinelMode: true, sentinelTLS: secure }),
    }),
    base: prefix.replace(/:$/, ""),
    scanCount: 1000,
  } as Parameters<typeof createDriver>[0]);
  const client = driver.getInstance?.() as Redis;
  let last: unknown;
  let unusable: unknown;
  client.on("connect", () => (unusable = undefined));
  client.on("error", (error: Error) => {
    last = error;
    // The client only reports this and goes on in database 0, which belongs to someone else.
    if (isNoDatabase(error)) unusable = error;
  });
  client.on("ready", () => (last = undefined));
  const fault = (): unknown =>
    unusable ?? (client.status === "ready" ? undefined : (last ?? new Error("there is no connection to it")));
  const deadline = runtime.monotonic() + patienceMs;

  /** Bounds the wait: a frozen server accepts connections and never answers. */
  async function until<T>(end: number, work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const left = Math.max(0, end - runtime.monotonic());
    const timer = setTimeout(() => late.reject(new TimeoutError()), left);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  try {
    for (;;) {
      try {
        if (client.status === "wait" || client.status === "end") await until(deadline, client.connect());
        const wrong = fault();
        if (wrong !== undefined) throw wrong;
        const { warnings } = await until(deadline, inspectRedis(client, name));
        return { client, driver, name, warnings, fault };
      } catch (error) {
        const cause = isLasting(error)
          ? error
          : isLasting(last)
            ? last
            : error instanceof StoreError
              ? error
              : (last ?? error);
        if (isLasting(cause) || cause instanceof StoreError || runtime.monotonic() > deadline) {
          throw explainRedis(name, "open", cause);
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  } catch (error) {
    client.disconnect();
    throw error;
  }
}

/** The client sends no server name by itself, and a gateway may serve many. IP addresses are not sent as names. */
const toServerName = (host: string | undefined): { servername?: string } =>
  host === undefined || isIP(host) !== 0 ? {} : { servername: host };

function readTls(paths: { ca?: string; cert?: string; key?: string }): Record<string, Buffer | string> {
  const files = Object.entries(paths).map(([name, path]) => {
    try {
      return [name, readFileSync(path)] as const;
    } catch (error) {
      throw new StoreError(
        "open",
        `The file ${path} (${name} in storage.url) cannot be read: ${(error as Error).message}`,
        error,
      );
    }
  });
  return { minVersion: "TLSv1.2", ...Object.fromEntries(files) };
}
