import type { AuditLog } from "./audit/audit-log.ts";
import type { DeliveryQueue } from "./deliveries/delivery-queue.ts";
import type { StoreError } from "./errors.ts";
import type { InboxStore } from "./inbox/inbox-store.ts";
import type { Hold, Lease } from "./lease.ts";
import type {
  AccountRecord,
  EndpointRecord,
  InboxRecord,
  KeyRecord,
  LoginRecord,
  SessionRecord,
} from "./records.ts";
import { openFileStore } from "./file-store.ts";
import type { DiskRoom } from "./space.ts";
import type { Channel } from "./redis/channel.ts";
import type { KeyUseStore } from "./key-uses.ts";
import type { UsageStore } from "./usage/usage-store.ts";
import type { Runtime } from "../runtime.ts";

/** Records of one kind. A record that cannot be read or fails its schema is a ToolError `storage_unavailable`, never `undefined`. */
export interface Collection<T> {
  /** Reads the store itself; use it to decide about a write. */
  get(id: string): Promise<T | undefined>;
  /** Like `get`, but up to 500 ms old, and synchronous if cached: for the path of every request. */
  lookup(id: string): T | undefined | Promise<T | undefined>;
  /** Returns the cached record, however old; never reads the store. */
  remembered(id: string): T | undefined;
  /** When the cached answer of `lookup` was read, by the clock of the cache; -Infinity if nothing is cached. */
  readAt(id: string): number;
  /** Like `lookup`, but reads the store. */
  renew(id: string): Promise<T | undefined>;
  /**
   * Writes a record whatever is there, except that what was revoked stays revoked: for copies. Everything else uses `add`
   * and `change`. Resolves when the record is on the disk.
   */
  set(id: string, value: T): Promise<void>;
  /** Adds a record, and reports whether it did: false if there is one with this id. @throws ToolError overloaded. */
  add(id: string, value: T, lease?: Lease): Promise<boolean>;
  /**
   * Replaces a record in one step, over all processes. `alter` returns the replacement, or undefined to leave the record as it
   * is; it is called again if another process has changed the record in between, and may throw. Returns the record before and
   * after the change; undefined if nothing was changed.
   * @throws ToolError overloaded if others change the record all the time, or the lease has ended.
   */
  change(
    id: string,
    alter: (record: T) => T | undefined,
    lease?: Lease,
  ): Promise<{ before: T; after: T } | undefined>;
  /** @throws ToolError overloaded if the lease has ended. */
  remove(id: string, lease?: Lease): Promise<void>;
  /**
   * Replaces the record in look-ups of this process until it is written or removed: a change that could not be written
   * takes effect anyway.
   */
  overrule(id: string, value: T): void;
  /** Returns the number of records replaced by `overrule`. */
  overruled(): number;
  /**
   * Removes a record and reports whether it was there. Of all concurrent takers, in any process, exactly one gets true.
   * If it rejects, the outcome is unknown, and the caller must not act as if it had taken the record.
   */
  take(id: string): Promise<boolean>;
  /**
   * Returns the records of an account, of `operatorOwner` or of a person (`personOwner`), ordered by id. Costs as much as these records, however
   * many others there are.
   */
  of(owner: string): Promise<Listing<T>>;
  /** Returns at most `limit` records with ids after `after`, ordered by id. */
  page(after: string | undefined, limit: number): Promise<Page<T>>;
  /** Returns at most `limit` ids after `after`, which need not be the id of a record. */
  idsAfter(after: string | undefined, limit: number): Promise<string[]>;
  /** The number of records of an owner, or of all; after a crash a record may be missing that is still counted. */
  count(owner?: string): Promise<number>;
  /**
   * Returns records whose end is before `until`, and not before `from` if it is given, in epoch milliseconds; those that end first come
   * first. What the end of a record is says `record-kinds.ts`.
   */
  ending(range: { from?: number; until: number }): AsyncIterable<T>;
  /** Sorted. For copies of the whole store: the cost grows with it. */
  ids(): Promise<string[]>;
  /** Returns every record, ordered by id. For what the operator wants to see of everybody: the cost grows with the store. */
  all(): Promise<Listing<T>>;
}

/** The readable records of a listing: one damaged record must not hide the others. */
export interface Listing<T> {
  records: T[];
  /** A sentence for the operator about each record left out. */
  damaged: readonly string[];
}

/** A part of a listing. */
export interface Page<T> extends Listing<T> {
  /** The id after which the next page begins; undefined if this is the last one. */
  next: string | undefined;
}

/** The use of one window; `resetAt` is its end in epoch milliseconds. */
export interface Count {
  used: number;
  resetAt: number;
}

/** A counter and what it may reach. */
export interface Limited {
  id: string;
  limit: number;
}

/** A count, and whether the points were within every limit; points beyond one are counted nowhere. */
export interface Counted extends Count {
  allowed: boolean;
  /** The counts of the counters beside it, in their order; absent if there are none. */
  beside?: readonly Count[];
}

/**
 * Fixed windows of an hour, each starting with the first request of its id. Ids are `account:<name>`, `session:<hex>` and
 * `ip:<hex>` (`access/buckets.ts`). An IPv6 address, which is counted by its /64, is also counted by its /56 and its /48 (`networks.ts`): all
 * three count a request, or none.
 */
export interface Counters {
  /**
   * Counts the points, unless the use would exceed `limit`; without a limit it always counts. The use of an IPv6 address is that of the
   * network with the least left below its ceiling, as if it were the address. Returns a promise only if another process counts.
   * @param beside Further counters of the same account, whose ids are its id and `:key_<id>`. All of them count, or none does.
   * @throws ToolError storage_unavailable if the store cannot count and the configuration refuses such requests.
   */
  consume(
    id: string,
    points: number,
    limit?: number,
    beside?: readonly Limited[],
  ): Counted | Promise<Counted>;
  /** Returns points that were counted for a request refused later. Never fails: at worst they stay counted. */
  giveBack(id: string, points: number): Promise<void>;
  /** Returns the use last seen by this process, without reading the store; undefined if the window is over or was never seen. */
  seen(id: string): Count | undefined;
  peek(id: string): Promise<Count | undefined>;
  reset(id: string): Promise<void>;
  /** Yields every window that is not over, in any order; one may be repeated. */
  windows(): AsyncIterable<[string, Count]>;
  /** Replaces a window. */
  put(id: string, count: Count): Promise<void>;
}

export interface Store {
  driver: StorageDriver;
  /** Whether an account existed when the store was opened. */
  hadAccounts: boolean;
  accounts: Collection<AccountRecord>;
  keys: Collection<KeyRecord>;
  endpoints: Collection<EndpointRecord>;
  inboxes: Collection<InboxRecord>;
  /** Settings sessions, including ended ones that `sessions/sweep.ts` has not removed yet. */
  sessions: Collection<SessionRecord>;
  /** One-time codes that were not exchanged for a session yet. */
  logins: Collection<LoginRecord>;
  /** Runs work that spans the records of an account, exclusively over all processes. */
  hold: Hold;
  /**
   * Shared stores: reports whether this node has the turn to do a periodic task, by a lease of `everyMs` milliseconds, which nobody else
   * gets meanwhile. @throws StoreError
   */
  takeTurn?(task: string, everyMs: number): Promise<boolean>;
  counters: Counters;
  /** The trail of administrative acts; opened by the first call, so that no start waits for it. */
  audit(): Promise<AuditLog>;
  /** Usage by the hour; opened by the first call. */
  usage(): Promise<UsageStore>;
  /** When keys were last used; opened by the first call. */
  keyUses(): Promise<KeyUseStore>;
  /** Deliveries to endpoints; opened by the first call and closed with the store. @throws StoreError */
  deliveries(): Promise<DeliveryQueue>;
  /** Messages that inboxes have received; opened by the first call and closed with the store. @throws StoreError */
  inbox(): Promise<InboxStore>;
  /** Shared stores: messages between nodes, by topic. Closed with the store. */
  channel?(name: string): Promise<Channel>;
  /** Shared stores: whether the store answers, and how many nodes use it. */
  status?(): StoreStatus;
  /** Shared stores: the servers that use it. @throws StoreError */
  listNodes?(): Promise<StoreNode[]>;
  /** Reports whether a store that continues in memory while it cannot write is doing so now. */
  isBehind?(): boolean;
  /** Returns the free space of a store on a disk; undefined if its file system does not report it. */
  room?(): DiskRoom | undefined;
  /** Runs an act that closes access (a revocation) even if the store is full. It may call `work` a second time. */
  urgently?<T>(work: () => Promise<T>): Promise<T>;
  /** Checks readiness. @throws StoreError with the reason if records cannot be read. */
  check(): Promise<void>;
  /** Writes pending changes and releases the folder. */
  close(): Promise<void>;
}

/** A server that shares a store. */
export interface StoreNode {
  /** Unique, and another one after each start. */
  id: string;
  /** Its release; null if it does not report it. */
  version: string | null;
  /** Its last report, by the clock of the store, in epoch milliseconds. */
  seenAt: number;
  /** Whether it is this process. */
  isThis: boolean;
}

export interface StoreStatus {
  up: boolean;
  nodes: number;
}

export type StorageDriver = "file" | "memory" | "redis";

/** The treatment of requests that cannot be counted: a share of the rest of the quota is answered, or all, or none. */
export type OnStoreError = "share" | "open" | "closed";

/** Writes a line to the log that is not an error. */
export type StoreNotice = (level: "info" | "warn", message: string) => void;

/** Options of a store that nodes share. */
export interface SharedOptions {
  url: string;
  /** Prefix of every name in Redis. */
  prefix: string;
  /** Milliseconds to wait for the record of a key that this process has never seen; 1,000 by default. */
  unknownKeyMs?: number;
  onStoreError: OnStoreError;
  /** True for a server, which counts as a node; false for a command. */
  isNode: boolean;
  /** The release of a server, which the others see. */
  version?: string;
  /**
   * Whether a new store may be created: a typing error in the address must not look like a store that lost everything.
   */
  mayBegin: boolean;
  onNotice: StoreNotice;
  /** Called for each decision about a quota that was made without the store. */
  onDegraded: () => void;
}

/** The concurrency of deliveries and the circuit of an endpoint: see QueueOptions. */
export interface DeliveryOptions {
  perEndpoint: number;
  circuit: { after: number; everyMs: number };
}

export interface StoreOptions {
  driver: StorageDriver;
  /** File driver: the folder. */
  path: string;
  /** Redis driver. */
  redis?: SharedOptions;
  runtime: Runtime;
  /** The queue of deliveries; by default 8 concurrent deliveries an endpoint, and one a minute after 5 failures. */
  webhooks?: Partial<DeliveryOptions>;
  /** A /56 of IPv6 gets this many times the limit of an address, and a /48 its square; 4 by default. */
  ipv6Factor?: number;
  /** Called with every fault of the store that its caller does not see in full: for the log and the metrics. */
  onError: (error: StoreError) => void;
  /** Milliseconds for which a cached record is used if the store cannot be read; 15 minutes by default. */
  staleMs?: number;
  /** Called with events that deserve a line in the log but are not faults. */
  onNotice?: StoreNotice;
  /** File driver: opens an existing store and writes nothing but the lock. */
  readOnly?: boolean;
  /** File driver: milliseconds to wait for a command that holds the lock. Without it the lock is tried for 0.3 s. */
  lockPatienceMs?: number;
  /** File driver: MiB that bulk data leaves free for administration; 16 by default. */
  minFreeMb?: number;
  /**
   * File driver: true refuses a folder that others can write in, false reports it to `onNotice`, and undefined skips the
   * check.
   */
  strictModes?: boolean;
  /** File driver: the store is opened for an act that closes access, even if the disk is full. */
  urgent?: boolean;
  /** The id of this process, for messages about the lock and its permissions. */
  pid?: number;
  uid?: number;
}

/** @throws StoreError if the store cannot be used; its `reason` says what to do. */
export async function openStore(options: StoreOptions): Promise<Store> {
  switch (options.driver) {
    case "file":
      return openFileStore(options);
    case "memory": {
      const { openMemoryStore } = await import("./memory-store.ts");
      return openMemoryStore(options);
    }
    case "redis": {
      const { openRedisStore } = await import("./redis/store.ts");
      return openRedisStore(options);
    }
  }
}
