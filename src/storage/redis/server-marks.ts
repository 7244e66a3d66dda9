import type { Cluster } from "ioredis";
import { ownerOf, slotOf, slots } from "./slots.ts";

/**
 * The marks of the servers of a cluster. A server that comes back without its data must not answer that there is no such key, while the mark of the store lies
 * on another one. Servers have slots and slots move, so there is a mark in each sixty-fourth part of them: it moves with its slot, and every server has some.
 */
export interface ServerMarks {
  /** All of them. */
  names: readonly string[];
  /** The mark that lies on the same server as a name; undefined if that is unknown. */
  near(name: string): string | undefined;
  /** One mark of each server. */
  ofServers(): string[];
  /** `host:port` of the server that has a mark. */
  serverOf(mark: string): string;
}

/** Never to be changed. */
const parts = 64;

export function createServerMarks(client: Cluster, prefix: string, version: number): ServerMarks {
  const width = slots / parts;
  const names: string[] = [];
  for (let n = 0, found = 0; found < parts; n++) {
    const name = `${prefix}store:${version}:{m${n}}`;
    const part = Math.floor(slotOf(name) / width);
    if (names[part] !== undefined) continue;
    names[part] = name;
    found += 1;
  }
  const owner = (name: string): string | undefined => ownerOf(client, slotOf(name));

  return {
    names,
    near(name) {
      const server = owner(name);
      return server === undefined ? undefined : names.find((mark) => owner(mark) === server);
    },
    ofServers() {
      const found = new Map<string, string>();
      for (const mark of names) {
        const server = owner(mark);
        if (server !== undefined && !found.has(server)) found.set(server, mark);
      }
      return [...found.values()];
    },
    serverOf: (mark) => owner(mark) ?? "one of its servers",
  };
}
