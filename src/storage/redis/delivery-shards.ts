import { hash } from "node:crypto";
import type { StoreOperation } from "../errors.ts";
import type { RedisClient } from "./client.ts";
import { shardParts } from "./delivery-lua.ts";
import type { Guard } from "./guard.ts";
import { type Script, type ScriptArgument, toAnnounced } from "./script.ts";

type ShardPart = (typeof shardParts)[number];

/** A part of the deliveries, which lies on one server of a cluster: those of some accounts. */
export interface Shard {
  nameOf(part: ShardPart): string;
  /** The channel that wakes a server. */
  channelOf(node: string): string;
  /** Runs a script, with a further name if it is given. */
  run(
    operation: StoreOperation,
    script: Script,
    args?: readonly ScriptArgument[],
    more?: readonly string[],
  ): Promise<unknown>;
}

export interface Shards {
  all: readonly Shard[];
  /** Where the deliveries of an account are. */
  of(account: string): Shard;
  /** Runs a script in all shards, because neither endpoints nor deliveries tell in which they are. */
  runInAll(operation: StoreOperation, script: Script, args?: readonly ScriptArgument[]): Promise<unknown[]>;
}

/** No request waits for this. */
const waitMs = 5000;
/** Never to be changed: an account's deliveries stay where they are. */
const shardsOfCluster = 16;

/** @param header Returns what precedes the arguments of each script, by the beginning of the shard's channels: see `delivery-lua.ts`. */
export function createShards(options: {
  client: RedisClient;
  guard: Guard;
  prefix: string;
  header(channels: string): readonly ScriptArgument[];
}): Shards {
  const { client, guard, prefix, header } = options;
  const all = Array.from({ length: client.isCluster ? shardsOfCluster : 1 }, (_, number): Shard => {
    const base = `${prefix}{wh:${String(number).padStart(2, "0")}}:`;
    const names = shardParts.map((part) => base + part);
    return {
      nameOf: (part) => base + part,
      channelOf: (node) => `${base}wake:${node}`,
      run: (operation, script, args = [], more = []) =>
        guard.run(operation, waitMs, () =>
          script(client, [...names, ...more], [...header(toAnnounced(client, `${base}wake:`)), ...args]),
        ),
    };
  });
  return {
    all,
    runInAll: (operation, script, args) =>
      Promise.all(all.map((shard) => shard.run(operation, script, args))),
    of(account) {
      const number = Number.parseInt(hash("sha1", account, "hex").slice(0, 4), 16) % all.length;
      return all[number] as Shard;
    },
  };
}
