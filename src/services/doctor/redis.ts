import { StoreError } from "../../storage/errors.ts";
import { type DoctorDeps, error, type Finding, fromReason, note, ok, warning } from "./finding.ts";
import { checkRedisRecords } from "./redis-records.ts";
import type { Config } from "../../options.ts";

type Info = ReadonlyMap<string, string>;

const pings = 10;
const mebibyte = 1024 * 1024;

/** Checks Redis over the connection that a server would use, without writing. */
export async function checkRedis(
  { url, prefix, encryptionKey }: Config["storage"],
  deps: DoctorDeps,
): Promise<Finding[]> {
  const { connectRedis } = await import("../../storage/redis/connect.ts");
  const { serversOf, tagOf } = await import("../../storage/redis/client.ts");
  const { parseInfo } = await import("../../storage/redis/inspect.ts");
  const { markKey, oldMarkKeys } = await import("../../storage/redis/marker.ts");
  let connection;
  try {
    connection = await connectRedis({ url, prefix, runtime: deps.runtime, patienceMs: 1000 });
  } catch (cause) {
    return [fromReason("redis.reachable", toReason(cause), "Check storage.url, and whether Redis runs.")];
  }
  const { client, name, warnings } = connection;
  const tag = tagOf(client);
  try {
    const servers = await Promise.all(
      serversOf(client).map(async (server) => parseInfo(await server.info())),
    );
    const [info = new Map<string, string>()] = servers;
    return [
      ok(
        "redis.reachable",
        client.isCluster
          ? `Redis (${name}) answers; it has ${servers.length} primaries.`
          : `Redis (${name}) answers and is a primary.`,
      ),
      checkVersion(info),
      ...checkPersistence(servers, warnings),
      checkMemory(fullest(servers)),
      checkLatency(await measure(deps, () => client.ping())),
      checkClockOf(await skewOf(deps, async () => client.time())),
      (await client.exists(markKey(prefix, tag), ...oldMarkKeys(prefix, tag))) > 0
        ? ok("redis.store", `There is a store under ${prefix}.`)
        : note(
            "redis.store",
            `There is no store under ${prefix} yet; the first start of a server creates it.`,
            "If one should exist, check host, database and storage.prefix.",
          ),
      ...(await checkRedisRecords(client, prefix, encryptionKey)),
    ];
  } finally {
    client.disconnect();
  }
}

const toReason = (cause: unknown): string =>
  cause instanceof StoreError ? cause.reason : cause instanceof Error ? cause.message : String(cause);

/** A version that is too old was refused earlier. */
function checkVersion(info: Info): Finding {
  const valkey = info.get("valkey_version");
  const shown = valkey === undefined ? `Redis ${info.get("redis_version") ?? ""}` : `Valkey ${valkey}`;
  return ok("redis.version", `It is ${shown.trim()}.`);
}

/** `warnings` are those that a start would log. */
function checkPersistence(servers: readonly Info[], warnings: readonly string[]): Finding[] {
  const failing = servers
    .flatMap((info) => [...info])
    .filter(
      ([name, value]) =>
        /^(?:rdb_last_bgsave|aof_last_write|aof_last_bgrewrite)_status$/.test(name) && value !== "ok",
    );
  const findings = warnings.map((sentence) => {
    const [what = "", action = ""] = sentence.split(/(?<=\.) (?=Set )/);
    return warning(
      sentence.includes("maxmemory-policy") ? "redis.memory" : "redis.persistence",
      what,
      action,
    );
  });
  if (failing.length > 0) {
    const what = `Redis could not write to its disk the last time (${failing.map(([name]) => name).join(", ")}).`;
    findings.push(error("redis.persistence", what, "Check its log and its free disk space."));
  }
  return findings.some(({ check }) => check === "redis.persistence")
    ? findings
    : [...findings, ok("redis.persistence", "It saves its data to disk.")];
}

/** The server of a cluster with the least left of its memory. */
function fullest(servers: readonly Info[]): Info {
  const share = (info: Info): number =>
    Number(info.get("used_memory") ?? 0) / (Number(info.get("maxmemory") ?? 0) || Infinity);
  const [first = new Map<string, string>()] = servers.toSorted((one, other) => share(other) - share(one));
  return first;
}

function checkMemory(info: Info): Finding {
  const used = Number(info.get("used_memory") ?? 0);
  const most = Number(info.get("maxmemory") ?? 0);
  const inMib = (bytes: number) => `${Math.ceil(bytes / mebibyte)} MiB`;
  if (most === 0) return ok("redis.memory", `It uses ${inMib(used)} and has no limit (maxmemory).`);
  const message = `It uses ${inMib(used)} of ${inMib(most)} (maxmemory)`;
  const action =
    "Raise maxmemory, or find what else fills it: while it is full, no key can be issued and no request counted.";
  if (used >= most * 0.95) return error("redis.memory", `${message}: it is full.`, action);
  return used >= most * 0.75
    ? warning("redis.memory", `${message}.`, action)
    : ok("redis.memory", `${message}.`);
}

/** Returns the median of some round trips, in milliseconds. */
async function measure({ runtime }: DoctorDeps, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < pings; n++) {
    const since = runtime.monotonic();
    await work();
    times.push(runtime.monotonic() - since);
  }
  return times.toSorted((a, b) => a - b)[pings / 2] ?? 0;
}

/** A request waits for one round trip, and for two with a key that its server has never seen; a count that takes longer than 100 ms is late. */
export function checkLatency(ms: number): Finding {
  const message = `A round trip takes ${ms.toFixed(1)} ms`;
  const action =
    "Move Redis closer to the nodes: each request takes a round trip, and above 100 ms requests are decided without it.";
  if (ms > 90)
    return error("redis.latency", `${message}: for most requests it does not answer in time.`, action);
  return ms > 10 ? warning("redis.latency", `${message}.`, action) : ok("redis.latency", `${message}.`);
}

/** Returns how many milliseconds the clock of Redis is ahead, corrected for the round trip. */
async function skewOf({ runtime }: DoctorDeps, time: () => Promise<unknown>): Promise<number> {
  const before = runtime.now();
  const [seconds, micros] = (await time()) as [string | number, string | number];
  const after = runtime.now();
  return Number(seconds) * 1000 + Number(micros) / 1000 - (before + after) / 2;
}

export function checkClockOf(skewMs: number): Finding {
  const seconds = Math.abs(skewMs) / 1000;
  if (seconds < 1) return ok("redis.clock", "Its clock agrees with that of this machine to the second.");
  const message = `Its clock is ${seconds.toFixed(1)} seconds ${skewMs > 0 ? "ahead of" : "behind"} that of this machine`;
  const action = "Synchronize both with NTP (timedatectl set-ntp true).";
  if (seconds > 30)
    return error("redis.clock", `${message}: keys expire at different times on different nodes.`, action);
  return warning("redis.clock", `${message}.`, action);
}
