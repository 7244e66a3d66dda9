import { randomFillSync } from "node:crypto";
import { mkdirSync } from "node:fs";
import { type AccountRecord, type KeyRecord } from "../../src/storage/records.ts";
import { openStore, type Store } from "../../src/storage/storage.ts";
import { type RedisServer, startRedis } from "../system/storage/redis-server.ts";
import { testRuntime } from "../support/runtime.ts";
import { putTexts } from "../support/stored-records.ts";

export const runtime = testRuntime({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: (size) => randomFillSync(new Uint8Array(size)),
});

const prefix = "penknife:";
const createdAt = "2026-11-21T00:00:00.000Z";

const nameOf = (n: number): string => `account-${n}`;

const accountOf = (n: number): AccountRecord => ({
  v: 1,
  name: nameOf(n),
  plan: "team",
  disabled: false,
  createdAt,
});

function keyOf(n: number, hash = n.toString(16).padStart(20, "0").padEnd(64, "0")): KeyRecord {
  return {
    v: 1,
    id: `key_${hash.slice(0, 20)}`,
    hash,
    account: nameOf(n),
    start: "svc_live_abcd",
    createdAt,
  };
}

/** Writes a store of this many accounts with a key each into a folder. Returns how many bytes their texts have. */
export function fillFolder(path: string, accounts: number, hashOf?: (n: number) => string): number {
  mkdirSync(path, { recursive: true });
  const texts = Array.from({ length: accounts }, (_, n) => n).flatMap((n): [string, string][] => {
    const key = keyOf(n, hashOf?.(n));
    return [
      [`accounts:${nameOf(n)}`, JSON.stringify(accountOf(n))],
      [`keys:${key.id.slice(4)}`, JSON.stringify(key)],
    ];
  });
  putTexts(path, texts);
  return texts.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
}

export const openFolder = (path: string): Promise<Store> =>
  openStore({ driver: "file", path, runtime, onError: fail, minFreeMb: 0 });

/** A Redis with this many names that belong to somebody else. */
export async function startShared(foreign: number): Promise<RedisServer> {
  const server = await startRedis(["--enable-debug-command", "local", "--save", ""]);
  if (foreign > 0) await server.command("DEBUG", "POPULATE", foreign, "somebody", 8);
  return server;
}

/** Adds accounts with a key each, as the store lists them, until there are this many. */
export async function fillRedis(server: RedisServer, from: number, accounts: number): Promise<void> {
  for (let at = from; at < accounts; at += 1000) {
    const commands: (string | number)[][] = [];
    for (let n = at; n < Math.min(accounts, at + 1000); n++) {
      const key = keyOf(n);
      const id = key.id.slice(4);
      commands.push(
        ["SET", `${prefix}accounts:${nameOf(n)}`, JSON.stringify(accountOf(n))],
        ["SET", `${prefix}keys:${id}`, JSON.stringify(key)],
        ["ZADD", `${prefix}list:accounts`, 0, nameOf(n)],
        ["ZADD", `${prefix}list:keys`, 0, id],
        ["ZADD", `${prefix}list:keys:{${nameOf(n)}}`, 0, id],
      );
    }
    await server.pipeline(commands);
  }
}

export const openShared = ({ url }: RedisServer): Promise<Store> =>
  openStore({
    driver: "redis",
    path: "",
    runtime,
    // A server that finds Redis slow reports it and goes on.
    onError: () => {},
    redis: {
      url,
      prefix,
      onStoreError: "share",
      isNode: true,
      mayBegin: true,
      onNotice: () => {},
      onDegraded: () => {},
    },
  });

function fail(error: unknown): never {
  throw error;
}
