import type { AuditLog } from "./audit/audit-log.ts";
import type { DeliveryQueue } from "./deliveries/delivery-queue.ts";
import type { StoreError } from "./errors.ts";
import type { InboxStore } from "./inbox/inbox-store.ts";
import type {
  AccountRecord,
  EndpointRecord,
  InboxRecord,
  KeyRecord,
  LoginRecord,
  SessionRecord,
} from "./records.ts";
import { openMemoryStore } from "./memory-store.ts";
import { openFileStore } from "./file-store.ts";
import type { DiskRoom } from "./space.ts";
import type { Channel } from "./redis/channel.ts";
import type { UsageStore } from "./usage/usage-store.ts";

/** Records of one kind. A record that cannot be read or fails its schema is a ToolError `storage_unavailable`, never `undefined`. */
export interface Collection<T> {
  /** Reads the store itself; what a decision to write must be based on. */
  get(id: string): Promise<T | undefined>;
  /** Like `get`, but at most 500 ms old and at once where it is remembered: for the path of every request. */
  lookup(id: string): T | undefined | Promise<T | undefined>;
  /** What is remembered, however old; never touches the store. */
  remembered(id: string): T | undefined;
  /** Durable when it resolves. */
  set(id: string, value: T): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * Stands in for the record in look-ups of this process until the record is written or removed: what could not be
   * written takes effect all the same.
   */
  overrule(id: string, value: T): void;
  /** Returns how many records are replaced this way. */
  overruled(): number;
  /**
   * Removes it and says whether it was there: of all who take a record, in whatever process, one is told that it was.
   * Where it rejects nobody knows, and whoever asked must not act as if it had been.
   */
  take(id: string): Promise<boolean>;
  /** In order. */
  ids(): Promise<string[]>;
  /** Every record, in the order of the ids. */
  all(): Promise<Listing<T>>;
}

/** What could be read of many records: on the bad day, one that is damaged must not stand in the way of the others. */
export interface Listing<T> {
  records: T[];
  /** A sentence for the operator for each that is left out. */
  damaged: readonly string[];
}

/** The use of one window: `resetAt` is its end in epoch milliseconds. */
export interface Count {
  used: number;
  resetAt: number;
}

/** A count, and whether the points were within the limit; those that were not are not in it. */
export interface Counted extends Count {
  allowed: boolean;
}

/** Fixed windows of an hour, each starting with the first request of its id. Ids are `account:<name>`, `session:<hex>` and `ip:<hex>`. */
export interface Counters {
  /**
   * Counts the points, unless more than `limit` would be used then; without a limit they are always counted.
   * @throws ToolError storage_unavailable where nobody can count, and that is to be a refusal.
   */
  consume(id: string, points: number, limit?: number): Promise<Counted>;
  /** Takes points back that were counted and then refused. Never fails: at worst they stay counted. */
  giveBack(id: string, points: number): Promise<void>;
  /** What this process saw last, without asking anyone; undefined when the window is over or was never seen. */
  seen(id: string): Count | undefined;
  peek(id: string): Promise<Count | undefined>;
  reset(id: string): Promise<void>;
  /** Every window that is not over, in any order; one may come twice. */
  windows(): AsyncIterable<[string, Count]>;
  /** Puts a window in the place of what there is. */
  put(id: string, count: Count): Promise<void>;
}

export interface Store {
  driver: StorageDriver;
  /** Whether there was an account when it was opened. */
  hadAccounts: boolean;
  accounts: Collection<AccountRecord>;
  keys: Collection<KeyRecord>;
  endpoints: Collection<EndpointRecord>;
  inboxes: Collection<InboxRecord>;
  /** Settings sessions, those that have ended among them until `sessions/sweep.ts` takes them away. */
  sessions: Collection<SessionRecord>;
  /** Codes that were not exchanged for a session. */
  logins: Collection<LoginRecord>;
  counters: Counters;
  /** The trail of administrative acts; opened when it is first asked for, which no start waits for. */
  audit(): Promise<AuditLog>;
  /** Use by the hour; opened when it is first asked for. */
  usage(): Promise<UsageStore>;
  /** What is on its way to endpoints; opened when it is first asked for, and closed with the store. @throws StoreError. */
  deliveries(): Promise<DeliveryQueue>;
  /** What the inboxes have received; opened when it is first asked for, and closed with the store. @throws StoreError. */
  inbox(): Promise<InboxStore>;
  /** Of a store that other nodes share: what they call out to one another under this name. Closed with the store. */
  channel?(name: string): Promise<Channel>;
  /** Of a store that other nodes share: whether it answers, and how many nodes there are. */
  status?(): StoreStatus;
  /** Of a store that goes on in memory while it cannot write: whether it does so now. */
  isBehind?(): boolean;
  /** Returns the free space of a store on a disk; undefined if its file system does not report it. */
  room?(): DiskRoom | undefined;
  /**
   * Carries out an act that closes access (a revocation) in a store that is full. It may call `work` a second time.
   */
  urgently?<T>(work: () => Promise<T>): Promise<T>;
  /** Readiness: throws a StoreError with the reason when records cannot be read. */
  check(): Promise<void>;
  /** Writes what is pending, gives the folder back. */
  close(): Promise<void>;
}

export interface StoreStatus {
  up: boolean;
  nodes: number;
}

export type StorageDriver = "file" | "memory" | "redis";

/** What becomes of requests that cannot be counted: a share of what is left, all, or none is answered. */
export type OnStoreError = "share" | "open" | "closed";

/** News for the log that are no fault. */
export type StoreNotice = (level: "info" | "warn", message: string) => void;

/** What a store needs that nodes share. */
export interface SharedOptions {
  url: string;
  /** Of every name in Redis. */
  prefix: string;
  onStoreError: OnStoreError;
  /** A server, which is one of the nodes; a command is none. */
  isNode: boolean;
  /** Whether a store may begin here where there is none: a slip in the address must not look like one that lost everything. */
  mayBegin: boolean;
  /** Milliseconds of a clock that never goes back. */
  monotonic: () => number;
  random: (size: number) => Uint8Array;
  onNotice: StoreNotice;
  /** Told of each decision about a quota that was made without the store. */
  onDegraded: () => void;
}

/** How many deliveries are made at once, and when an endpoint is only probed: see QueueOptions. */
export interface DeliveryOptions {
  perEndpoint: number;
  circuit: { after: number; everyMs: number };
}

export interface StoreOptions {
  driver: StorageDriver;
  /** The folder of the file driver. */
  path: string;
  /** Of the redis driver. */
  redis?: SharedOptions;
  /** Epoch milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that never goes back, by which windows end too; without it `now` has to do. */
  monotonic?: () => number;
  /** Of the queue of deliveries; 8 for each endpoint, and after 5 failures one a minute, where it is not given. */
  webhooks?: Partial<DeliveryOptions>;
  random?: (size: number) => Uint8Array;
  /** Told of every fault of the store that a caller does not see whole: for the log and the metrics. */
  onError: (error: StoreError) => void;
  /** How long a remembered record may stand in when the store cannot be read; 15 minutes by default. */
  staleMs?: number;
  /** Told of what is worth a line in the log and no fault. */
  onNotice?: StoreNotice;
  /** Of the file driver: nothing is made, mended or written but the lock, and there has to be a store. */
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
  /** Of this process, for messages: who holds the lock, who needs the rights. */
  pid?: number;
  uid?: number;
}

/** Throws a StoreError, whose `reason` tells the operator what to do, when the store cannot be used. */
export async function openStore(options: StoreOptions): Promise<Store> {
  switch (options.driver) {
    case "file":
      return openFileStore(options);
    case "memory":
      return openMemoryStore(options);
    case "redis": {
      const { openRedisStore } = await import("./redis/store.ts");
      return openRedisStore(options);
    }
  }
}
