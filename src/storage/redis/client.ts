import type { Cluster, Redis } from "ioredis";

/** A connection to one server, or to all servers of a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * Puts braces around the part of a name by which a cluster chooses the server that keeps it, so that names with the same part can be used in
 * one script. On one server names have no braces.
 */
export type Tag = (part: string) => string;

export const tagOf = ({ isCluster }: Pick<RedisClient, "isCluster">): Tag =>
  isCluster ? (part) => `{${part}}` : untagged;

export const untagged: Tag = (part) => part;

/** The name of a record or of what belongs to it; `key` is a word, a colon and the id. */
export function nameOf(tag: Tag, prefix: string, key: string): string {
  const colon = key.indexOf(":") + 1;
  return prefix + key.slice(0, colon) + tag(key.slice(colon));
}

/** The connections whose names together are those of the store. */
export const serversOf = (client: RedisClient): readonly Redis[] =>
  client.isCluster ? (client as Cluster).nodes("master") : [client as Redis];
