import { readFileSync } from "node:fs";
import { afterAll } from "vitest";
import type { SharedOptions, StoreOptions } from "../../../src/storage/storage.ts";
import { type RedisCluster, startCluster } from "./redis-cluster.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** The back ends over which every conformance case runs. */
export const drivers = ["file", "memory", "redis", "sentinel", "cluster"] as const;

/** Drivers whose windows follow the clock of this process; the others follow a clock that all nodes share. */
export const local = ["file", "memory"] as const;

let server: Promise<RedisServer> | undefined;

const manual = new URL("../../../docs/redis.md", import.meta.url);

/** The Redis permissions that docs/redis.md documents, as arguments of ACL SETUSER. */
export function documentedRights(): string[] {
  const [, rights] = /^ACL SETUSER penknife on >PASSWORD (.*)$/m.exec(readFileSync(manual, "utf8")) ?? [];
  if (rights === undefined) throw new Error("docs/redis.md has no ACL SETUSER");
  return rights.split(" ");
}

/** A prefix from the configuration has one colon. */
const rightsOfCommands = ["~cli-*", "&cli-*"];

/** Options that a cluster takes besides. */
function clusterRights(): string[] {
  const [, rights] = /In a cluster it also needs `([^`]*)`/.exec(readFileSync(manual, "utf8")) ?? [];
  if (rights === undefined) throw new Error("docs/redis.md has no rights for a cluster");
  return rights.split(" ");
}

/**
 * One server for all tests of a file; each store has a prefix of its own. Its `url` names a user with exactly the documented permissions,
 * so that every suite shows that they suffice; `command` runs as administrator.
 */
export const sharedRedis = (): Promise<RedisServer> => (server ??= startRestricted());

let cluster: Promise<RedisCluster> | undefined;

/** The same as a cluster. */
export const sharedCluster = (): Promise<RedisCluster> => (cluster ??= startRestrictedCluster());

let watched: Promise<{ url: string; close(): Promise<void> }> | undefined;

/** The same as a server with a replica, which a sentinel watches. */
const sharedSentinel = (): Promise<{ url: string; close(): Promise<void> }> => (watched ??= startWatched());

async function startWatched(): Promise<{ url: string; close(): Promise<void> }> {
  const primary = await startRestricted();
  const replica = await startRedis(["--replicaof", `127.0.0.1 ${primary.port}`]);
  // No failover: a busy machine answers late.
  const sentinel = await startRedis([], { sentinelOf: primary.port, downAfterMs: 600_000 });
  const linked = async (): Promise<boolean> =>
    String(await replica.command("INFO", "replication")).includes("master_link_status:up");
  while (!(await linked())) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    url: `redis+sentinel://penknife:pw@127.0.0.1:${sentinel.port}/main/0`,
    async close() {
      await Promise.all([sentinel.close(), replica.close(), primary.close()]);
    },
  };
}

async function startRestrictedCluster(): Promise<RedisCluster> {
  const started = await startCluster();
  const rights = [...documentedRights(), ...clusterRights(), ...rightsOfCommands];
  await started.everywhere("ACL", "SETUSER", "penknife", "on", ">pw", ...rights);
  return { ...started, url: started.url.replace("redis+cluster://", "redis+cluster://penknife:pw@") };
}

async function startRestricted(): Promise<RedisServer> {
  const started = await startRedis();
  const rights = [...documentedRights(), ...rightsOfCommands];
  await started.command("ACL", "SETUSER", "penknife", "on", ">pw", ...rights);
  return {
    ...started,
    get port() {
      return started.port;
    },
    get pid() {
      return started.pid;
    },
    get url() {
      return started.url.replace("redis://", "redis://penknife:pw@");
    },
  };
}

afterAll(async () => {
  await (await server)?.close();
  await (await watched)?.close();
  await (await cluster)?.close();
});

let stores = 0;

/** For a store that no other test uses. */
export function redisOptions(url: string, options: Partial<SharedOptions> = {}): SharedOptions {
  stores += 1;
  return {
    url,
    prefix: `penknife:test${stores}:`,
    onStoreError: "share",
    isNode: true,
    mayBegin: true,
    onNotice: () => {},
    onDegraded: () => {},
    ...options,
  };
}

/** The options of a store over a driver; with Redis, over the server of the file. */
export const optionsOf = async (driver: (typeof drivers)[number]): Promise<Partial<StoreOptions>> =>
  driver === "file" || driver === "memory"
    ? { driver }
    : { driver: "redis", redis: redisOptions((await sharedAs(driver)).url) };

const shared = { redis: sharedRedis, sentinel: sharedSentinel, cluster: sharedCluster } as const;

/** The server, the server behind a sentinel, or the cluster that all tests of a file share. */
export const sharedAs = (driver: keyof typeof shared): Promise<{ url: string }> => shared[driver]();
