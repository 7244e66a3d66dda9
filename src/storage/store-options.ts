import type { Config } from "../options.ts";
import type { SharedOptions, StoreOptions } from "./storage.ts";

/** The sections of the configuration that the store reads. */
export type StoreConfig = Pick<Config, "storage" | "limits" | "webhooks">;

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
  role: Pick<SharedOptions, "isNode" | "version" | "mayBegin" | "onNotice" | "onDegraded"> &
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
    ipv6Factor: limits.ipv6Factor,
    webhooks: { perEndpoint: webhooks.perEndpoint },
    pid,
    ...(uid !== undefined && { uid }),
  };
}
