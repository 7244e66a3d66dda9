import type { Config } from "../options.ts";
import type { SharedOptions, StoreOptions } from "./storage.ts";
import type { Runtime } from "../runtime.ts";

/** The sections of the configuration that the store reads. */
export type StoreConfig = Pick<Config, "storage" | "limits" | "webhooks">;

export interface StoreProcess {
  runtime: Runtime;
  pid: number;
  uid?: number;
}

/** Returns the options that a server and a command that opens the store itself have in common. */
export function toStoreOptions(
  { storage, limits, webhooks }: StoreConfig,
  { runtime, pid, uid }: StoreProcess,
  role: Pick<SharedOptions, "isNode" | "version" | "mayBegin" | "onNotice" | "onDegraded"> &
    Pick<StoreOptions, "onError">,
): StoreOptions {
  const { onNotice, onError } = role;
  return {
    driver: storage.driver,
    path: storage.path,
    minFreeMb: storage.minFreeMb,
    runtime,
    onNotice,
    onError,
    redis: { ...storage, ...limits, ...role },
    ipv6Factor: limits.ipv6Factor,
    webhooks: { perEndpoint: webhooks.perEndpoint },
    pid,
    ...(uid !== undefined && { uid }),
  };
}
