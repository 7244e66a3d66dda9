import type { StoreError } from "./errors.ts";
import type { AccountRecord, KeyRecord } from "./records.ts";
import { openMemoryStore } from "./memory-store.ts";
import { openFileStore } from "./file-store.ts";

/** Records of one kind. A record that cannot be read or fails its schema is a ToolError `storage_unavailable`, never `undefined`. */
export interface Collection<T> {
  /** Reads the store itself; what a decision to write must be based on. */
  get(id: string): Promise<T | undefined>;
  /** Like `get`, but at most 500 ms old and at once where it is remembered: for the path of every request. */
  lookup(id: string): T | undefined | Promise<T | undefined>;
  /** Like `lookup`, but only what is remembered and fresh; never touches the store. */
  remembered(id: string): T | undefined;
  /** Durable when it resolves. */
  set(id: string, value: T): Promise<void>;
  remove(id: string): Promise<void>;
  /** In order. */
  ids(): Promise<string[]>;
  /** Every record that is whole, in the order of the ids. Damaged ones are reported and left out: on the bad day, one must not stand in the way. */
  all(): Promise<T[]>;
}

/** The use of one window: `resetAt` is its end in epoch milliseconds. */
export interface Count {
  used: number;
  resetAt: number;
}

/** Fixed windows of an hour, each starting with the first request of its id. Ids are `account:<name>` and `ip:<hex>`. */
export interface Counters {
  consume(id: string, points: number): Promise<Count>;
  /** What this process saw last, without asking anyone; undefined when the window is over or was never seen. */
  seen(id: string): Count | undefined;
  peek(id: string): Promise<Count | undefined>;
  reset(id: string): Promise<void>;
}

export interface Store {
  driver: StorageDriver;
  /** Whether there was an account when it was opened. */
  hadAccounts: boolean;
  accounts: Collection<AccountRecord>;
  keys: Collection<KeyRecord>;
  counters: Counters;
  /** Readiness: throws a StoreError with the reason when records cannot be read. */
  check(): Promise<void>;
  /** Writes what is pending, gives the folder back. */
  close(): Promise<void>;
}

export type StorageDriver = "file" | "memory";

export interface StoreOptions {
  driver: StorageDriver;
  /** The folder of the file driver. */
  path: string;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of every fault of the store that a caller does not see whole: for the log and the metrics. */
  onError: (error: StoreError) => void;
  /** How long a remembered record may stand in when the store cannot be read; 15 minutes by default. */
  staleMs?: number;
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
  }
}
