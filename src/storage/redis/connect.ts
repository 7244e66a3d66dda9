import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ClusterOptions, RedisOptions } from "ioredis";
import createDriver from "unstorage/drivers/redis";
import { StoreError } from "../errors.ts";
import { type RedisClient, serversOf } from "./client.ts";
import { explainRedis, isLasting, isNoDatabase } from "./explain.ts";
import { TimeoutError } from "./guard.ts";
import { inspectRedis } from "./inspect.ts";
import { parseRedisUrl } from "./url.ts";
import type { Runtime } from "../../runtime.ts";

export interface RedisConnection {
  client: RedisClient;
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
  const { options, cluster, tls, name } = parseRedisUrl(url);
  const [{ host = options.host } = {}] = cluster ?? [];
  const secure = tls && { ...readTls(tls), ...toServerName(host) };
  let reconnectedAt = -Infinity;
  const single = {
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
  };
  const many = cluster && { cluster, clusterOptions: toClusterOptions(options, secure) };
  // The library's type knows fewer options than the client that they are for.
  const driver = createDriver({
    ...(many ?? single),
    base: prefix.replace(/:$/, ""),
    scanCount: 1000,
  } as Parameters<typeof createDriver>[0]);
  const client = driver.getInstance?.() as RedisClient;
  let last: unknown;
  let unusable: unknown;
  client.on("connect", () => (unusable = undefined));
  client.on("node error", (error: Error) => (last = error));
  client.on("error", (error: Error & { lastNodeError?: Error }) => {
    last = error.lastNodeError ?? error;
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
        const warnings = await until(deadline, inspectAll(client, name));
        return { client, name, warnings, fault };
      } catch (error) {
        if (cluster && secure) last = (await faultOfTls(cluster, secure, pauseMs)) ?? last;
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

/**
 * A command that a server may have carried out is not repeated, and one for a server that is gone fails. Commands are sent one by one, because the
 * client repeats a packet only as a whole when some of its names have moved to another server.
 */
function toClusterOptions(
  { username, password }: RedisOptions,
  tls: Record<string, Buffer | string> | undefined,
): ClusterOptions {
  const { retryStrategy, enableOfflineQueue: _queue, enableAutoPipelining: _pipelining, ...ofServer } = base;
  return {
    lazyConnect: true,
    clusterRetryStrategy: retryStrategy,
    // Of the servers of a cluster one may be connecting while the others answer. What is behind decides how long to wait.
    enableOfflineQueue: true,
    retryDelayOnFailover: 0,
    retryDelayOnTryAgain: 25,
    retryDelayOnClusterDown: 50,
    slotsRefreshInterval: 1000,
    redisOptions: {
      ...ofServer,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls !== undefined && { tls }),
    },
  };
}

/** Inspects every server that may be written to. Returns the warnings, each once. */
async function inspectAll(client: RedisClient, name: string): Promise<string[]> {
  const all = await Promise.all(
    serversOf(client).map((server) => inspectRedis(server, name, client.isCluster)),
  );
  return [...new Set(all.flatMap(({ warnings }) => warnings))];
}

/** Returns why the first server of a cluster is not trusted: the client only reports that a connection was closed. */
function faultOfTls(
  [{ host, port } = { host: "", port: 0 }]: readonly { host: string; port: number }[],
  secure: Record<string, Buffer | string>,
  waitMs: number,
): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  const socket = connectTls({ host, port, ...secure });
  socket.setTimeout(waitMs, () => resolve(undefined));
  socket.once("secureConnect", () => resolve(undefined));
  socket.on("error", (error) => resolve(isLasting(error) ? error : undefined));
  return promise.finally(() => socket.destroy());
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
