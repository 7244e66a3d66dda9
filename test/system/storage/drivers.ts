import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import type { StoreError } from "../../../src/storage/errors.ts";
import type {
  AccountRecord,
  EndpointRecord,
  InboxRecord,
  KeyRecord,
  LoginRecord,
  SessionRecord,
} from "../../../src/storage/records.ts";
import { openStore } from "../../../src/storage/storage.ts";
import type { SharedOptions, Store, StoreOptions } from "../../../src/storage/storage.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";
import { testRuntime } from "../../support/runtime.ts";

/** The back ends over which every conformance case runs. */
export const drivers = ["file", "memory", "redis"] as const;

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

/**
 * One server for all tests of a file; each store has a prefix of its own. Its `url` names a user with exactly the documented permissions,
 * so that every suite shows that they suffice; `command` runs as administrator.
 */
export const sharedRedis = (): Promise<RedisServer> => (server ??= startRestricted());

async function startRestricted(): Promise<RedisServer> {
  const started = await startRedis();
  // A prefix from the configuration has one colon.
  const rights = [...documentedRights(), "~cli-*", "&cli-*"];
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

afterAll(async () => (await server)?.close());

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

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "penknife-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Opened {
  store: Store;
  errors: StoreError[];
}

/** A store that is closed when the test ends; collects the errors that it reports. */
export async function openTestStore(options: Partial<StoreOptions> = {}): Promise<Opened> {
  const errors: StoreError[] = [];
  const store = await openStore({
    driver: "memory",
    path: options.driver === "file" && options.path === undefined ? makeFolder() : "",
    runtime: testRuntime({ now: Date.now }),
    onError: (error) => void errors.push(error),
    ...(options.driver === "redis" &&
      options.redis === undefined && { redis: redisOptions((await sharedRedis()).url) }),
    ...options,
  });
  onTestFinished(() => store.close());
  return { store, errors };
}

export function account(name: string, changes: Partial<AccountRecord> = {}): AccountRecord {
  return { v: 1, name, plan: "pro", disabled: false, createdAt: "2026-11-21T00:00:00.000Z", ...changes };
}

export function key(id: string, changes: Partial<KeyRecord> = {}): KeyRecord {
  return {
    v: 1,
    id: `key_${id}`,
    hash: id.padEnd(64, "0"),
    account: "acme",
    start: "svc_live_abcd",
    createdAt: "2026-11-21T00:00:00.000Z",
    ...changes,
  };
}

export function endpoint(id: string, changes: Partial<EndpointRecord> = {}): EndpointRecord {
  return {
    v: 1,
    id: `we_${id}`,
    account: "acme",
    url: "https://hooks.example.com/penknife?a=1",
    method: "POST",
    events: ["*"],
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    state: "active",
    retryClientErrors: false,
    createdAt: "2026-11-21T00:00:00.000Z",
    ...changes,
  };
}

export function inbox(id: string, changes: Partial<InboxRecord> = {}): InboxRecord {
  return {
    v: 1,
    id: `in_${id}`,
    account: "acme",
    scheme: "none",
    onInvalid: "refuse",
    status: 200,
    delayMs: 0,
    createdAt: "2026-11-21T00:00:00.000Z",
    ...changes,
  };
}

export function session(id: string, changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    v: 1,
    id: `ses_${id}`,
    hash: id.padEnd(64, "0"),
    account: "acme",
    createdAt: "2026-11-21T00:00:00.000Z",
    expiresAt: "2026-11-21T08:00:00.000Z",
    ...changes,
  };
}

export const login = (id: string, changes: Partial<LoginRecord> = {}): LoginRecord => ({
  ...session(id),
  id: `login_${id}`,
  ...changes,
});
