import type { Redis } from "ioredis";
import { StoreError } from "../errors.ts";

/** The settings of a Redis server that matter for keys that must not be lost. */
export interface Inspection {
  /** Sentences for the log about settings that work but are risky. */
  warnings: string[];
}

const oldest = 7;

/**
 * Inspects the server before anything is stored in it. @throws StoreError `open` if it is too old, would lose keys,
 * cannot be written, or is one of a cluster, unless `isCluster` says that this is expected.
 */
export async function inspectRedis(client: Redis, name: string, isCluster = false): Promise<Inspection> {
  const info = parseInfo(await client.info());
  const refuse = (why: string): never => {
    throw new StoreError("open", `Redis (${name}) cannot keep the store: ${why}`);
  };
  if (!isCluster && (info.get("redis_mode") === "cluster" || info.get("cluster_enabled") === "1")) {
    refuse("it is a server of a cluster. Begin storage.url with redis+cluster:// or rediss+cluster://.");
  }
  const version = info.get("redis_version") ?? "";
  // Valkey always reports 7.2.4; a server without a version has to prove itself. Before 7 the first line of the scripts
  // (`#!lua flags=…`) is not Lua: servers would start, and no event would be accepted.
  if (Number.parseFloat(version) < oldest) {
    refuse(
      `it is version ${version}, which lacks scripts with flags. Use Redis ${oldest} or later, or Valkey.`,
    );
  }
  if (info.get("role") === "slave") {
    refuse("it is a read-only replica. Point storage.url at the primary, or at the sentinels.");
  }
  const policy = info.get("maxmemory_policy") ?? "noeviction";
  if (policy.startsWith("allkeys-")) {
    refuse(
      `its maxmemory-policy is ${policy}, which evicts keys and accounts when memory is short. Set maxmemory-policy noeviction.`,
    );
  }
  const warnings: string[] = [];
  if (policy !== "noeviction") {
    warnings.push(
      `Redis (${name}) has maxmemory-policy ${policy}: when memory runs short, counts are evicted and quotas start over. Set maxmemory-policy noeviction.`,
    );
  }
  if (info.get("aof_enabled") === "0") {
    const saves = await readSavePolicy(client);
    warnings.push(
      saves === ""
        ? `Redis (${name}) does not write to disk: a restart loses all accounts and keys. Set appendonly yes.`
        : `Redis (${name}) has no append-only file: a crash loses the keys issued since the last snapshot. Set appendonly yes.`,
    );
  }
  return { warnings };
}

/** Returns undefined if the user may not ask. */
async function readSavePolicy(client: Redis): Promise<string | undefined> {
  try {
    const [, value] = (await client.config("GET", "save")) as string[];
    return value;
  } catch {
    return undefined;
  }
}

/** Parses `INFO` into names and values. */
export function parseInfo(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0 && !line.startsWith("#")) fields.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}
