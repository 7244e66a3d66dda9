import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { StoreError } from "./errors.ts";
import { type OnStoreError, openStore, type StorageDriver, type Store } from "./storage.ts";
import { createThrottle } from "../../lib/throttle.ts";

/** The store of a server: its faults are logged and counted. */
export interface ServerStore {
  store: Store;
  /** Logs a fault, the same one at most once in ten seconds, and counts it. */
  onStoreError(error: StoreError): void;
  /** Returns the readiness. @throws StoreError if the server cannot serve requests now. */
  check(): Promise<Readiness>;
}

/** Whether a server can serve requests; `reason` is a sentence without paths, for everyone who asks. */
export interface Readiness {
  status: "ready" | "degraded";
  reason?: string;
}

export interface ServerStoreDeps {
  config: {
    storage: {
      driver: StorageDriver;
      path: string;
      minFreeMb: number;
      strictModes: boolean;
      url: string;
      prefix: string;
    };
    auth: { staleMinutes: number };
    limits: { onStoreError: OnStoreError };
    webhooks: { perEndpoint: number };
  };
  log: Pick<Log, "event">;
  metrics: Pick<Metrics, "storageError" | "degraded">;
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  random(size: number): Uint8Array;
  pid: number;
  uid?: number;
}

/** How long a start waits for an administrative command that holds the folder. */
const lockPatienceMs = 10_000;
const repeatMs = 10_000;

/** @throws StoreError where the store cannot be opened. */
export async function openServerStore(deps: ServerStoreDeps): Promise<ServerStore> {
  const { config, log, metrics, now, monotonic, random, pid, uid } = deps;
  const { onStoreError: mode } = config.limits;
  const news = createThrottle(repeatMs, monotonic);

  function onStoreError(error: StoreError): void {
    metrics.storageError(error.operation);
    if (news.due(error.reason))
      log.event("error", "the store failed", { operation: error.operation, error: error.reason });
  }

  const store = await openStore({
    driver: config.storage.driver,
    path: config.storage.path,
    minFreeMb: config.storage.minFreeMb,
    strictModes: config.storage.strictModes,
    now,
    monotonic,
    staleMs: config.auth.staleMinutes * 60_000,
    onNotice: log.event,
    pid,
    lockPatienceMs,
    redis: {
      ...config.storage,
      onStoreError: mode,
      isNode: true,
      mayBegin: true,
      monotonic,
      random,
      onNotice: log.event,
      onDegraded: () => metrics.degraded(mode),
    },
    webhooks: { perEndpoint: config.webhooks.perEndpoint, circuit: { after: 5, everyMs: 60_000 } },
    random,
    ...(uid !== undefined && { uid }),
    onError: onStoreError,
  });

  return {
    store,
    onStoreError,
    /**
     * A node stays in service while quotas are shared out without Redis: otherwise all nodes would go at the same time.
     * It also stays in service with a full disk, because it still reads keys and counts requests.
     */
    async check() {
      if (unwritten(store) > 0) {
        throw new StoreError("check", "There are revocations that could not be written. Repeat them.");
      }
      try {
        await store.check();
      } catch (error) {
        if (store.status === undefined || mode === "closed") throw error;
        return { status: "degraded", reason: "The store does not answer, or cannot be written." };
      }
      const shortage = store.room?.()?.shortage;
      if (shortage !== undefined) return { status: "degraded", reason: shortage };
      if (store.isBehind?.() === true)
        return { status: "degraded", reason: "Counts cannot be written, and are kept in memory." };
      return { status: "ready" };
    },
  };
}

/** Revocations that took effect in the memory of this server alone. */
export const unwritten = ({ keys, accounts, sessions }: Store): number =>
  keys.overruled() + accounts.overruled() + sessions.overruled();
