import type { OnStoreError, SharedOptions, StorageDriver, StoreOptions } from "./storage.ts";

/** The part of the configuration that decides about the store. */
export interface StoreConfig {
  storage: { driver: StorageDriver; path: string; minFreeMb: number; url: string; prefix: string };
  limits: { onStoreError: OnStoreError };
  webhooks: { perEndpoint: number };
}

export interface StoreProcess {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  random(size: number): Uint8Array;
  pid: number;
  uid?: number;
}

/** Returns the options that a server and a command that opens the store itself have in common. */
export function toStoreOptions(
  { storage, limits, webhooks }: StoreConfig,
  { now, monotonic, random, pid, uid }: StoreProcess,
  role: Pick<SharedOptions, "isNode" | "mayBegin" | "onNotice" | "onDegraded"> &
    Pick<StoreOptions, "onError">,
): StoreOptions {
  const { onNotice, onError } = role;
  return {
    driver: storage.driver,
    path: storage.path,
    minFreeMb: storage.minFreeMb,
    now,
    random,
    onNotice,
    onError,
    redis: { ...storage, ...limits, ...role, monotonic, random },
    webhooks: { perEndpoint: webhooks.perEndpoint },
    pid,
    ...(uid !== undefined && { uid }),
  };
}
