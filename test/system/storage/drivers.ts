import { readFileSync } from "node:fs";
import { afterAll } from "vitest";
import type { SharedOptions, StoreOptions } from "../../../src/storage/storage.ts";
import { type RedisCluster, startCluster } from "./redis-cluster.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** The back ends over which every conformance case runs. */
export const drivers = ["file", "memory", "redis", "cluster"] as const;

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

/** The server, or the cluster, that all tests of a file share. */
export const sharedAs = (driver: "redis" | "cluster"): Promise<{ url: string }> =>
  driver === "redis" ? sharedRedis() : sharedCluster();
