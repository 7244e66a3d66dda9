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

export interface RedisConnection {
  client: Redis;
  /** The library's own, over the same connection. */
  driver: Driver;
  /** `host:port/database`, fit for messages. */
  name: string;
  warnings: readonly string[];
  /** Why it cannot be used at this moment. */
  fault(): unknown;
}

export interface ConnectOptions {
  url: string;
  prefix: string;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** How long a server that is not there yet is waited for. */
  patienceMs: number;
}

const pauseMs = 200;
/** Reconnecting costs the requests of a moment; the address may long mean the same server. */
const reconnectEveryMs = 5000;
/** A sentinel that is frozen accepts connections too, and the next one may know the primary. */
const sentinelMs = 1000;

/**
 * What the defaults of the client would do: hold commands back while there is no connection, for ever; send those that
 * were under way a second time after it is back, so that a request is counted twice.
 */
const base = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  enableAutoPipelining: true,
  connectTimeout: 2000,
  // What was sent has to be answered: without that a connection through a firewall that forgot it is dead for a quarter
  // of an hour.
  socketTimeout: 10_000,
  keepAlive: 10_000,
  connectionName: "penknife",
  // Soon, and on all nodes at nearly the same time: see `settleMs` of the guard.
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), 250),
} as const satisfies RedisOptions;

/** @throws StoreError `open` with what the operator has to do. */
export async function connectRedis({
  url,
  prefix,
  monotonic,
  patienceMs,
}: ConnectOptions): Promise<RedisConnection> {
  const { options, tls, name } = parseRedisUrl(url);
  const secure = tls && { ...readTls(tls), ...toServerName(options.host) };
  let reconnectedAt = -Infinity;
  const driver = createDriver({
    ...base,
    // After a failover the old primary is a replica: look for the new one.
    reconnectOnError(error: Error) {
      if (!error.message.startsWith("READONLY") || monotonic() - reconnectedAt < reconnectEveryMs)
        return false;
      reconnectedAt = monotonic();
      return 1;
    },
    ...options,
    ...(secure !== undefined && { tls: secure }),
    // The client asks the sentinels over connections of their own, which take over nothing of the above.
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
    // The client only tells of it, and goes on in database 0, which is somebody else's.
    if (isNoDatabase(error)) unusable = error;
  });
  client.on("ready", () => (last = undefined));
  const fault = (): unknown =>
    unusable ?? (client.status === "ready" ? undefined : (last ?? new Error("there is no connection to it")));
  const deadline = monotonic() + patienceMs;

  /** A frozen server accepts connections and never says a word. */
  async function until<T>(end: number, work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const left = Math.max(0, end - monotonic());
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
        if (isLasting(cause) || cause instanceof StoreError || monotonic() > deadline) {
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

/** The client does not say by itself whom it is looking for, and behind a gateway there may be many. Addresses are not said. */
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
