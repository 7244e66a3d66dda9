import type { Config } from "../options.ts";
import { StoreError } from "./errors.ts";
import { openStore, type Store, type StoreNode } from "./storage.ts";
import { type StoreConfig, type StoreProcess, toStoreOptions } from "./store-options.ts";
import { createThrottle } from "../lib/throttle.ts";

/** The store of a server: its faults are logged and counted. */
export interface ServerStore {
  store: Store;
  /** Logs a fault, the same one at most once in ten seconds, and counts it. */
  onStoreError(error: StoreError): void;
  /** Returns the readiness. @throws StoreError if the server cannot serve requests now. */
  check(): Promise<Readiness>;
  /** Returns the servers that share the store; this one alone if none can. @throws StoreError */
  nodes(): Promise<StoreNode[]>;
}

/** Whether a server can serve requests; `reason` is a sentence without paths, for everyone who asks. */
export interface Readiness {
  status: "ready" | "degraded";
  reason?: string;
}

export interface ServerStoreDeps extends StoreProcess {
  config: StoreConfig & Pick<Config, "auth">;
  /** The release of penknife. */
  version: string;
  /** Writes a line to the log. */
  onNotice(
    level: "error" | "info" | "warn",
    message: string,
    fields?: { operation: string; error: string },
  ): void;
  /** Counts faults by operation, and decisions about quotas that were made without the store. */
  metrics: { storageError(operation: string): void; degraded(mode: string): void };
}

/** The longest time that a start waits for an administrative command that holds the folder. */
const lockPatienceMs = 10_000;
const repeatMs = 10_000;

/** @throws StoreError if the store cannot be opened. */
export async function openServerStore(deps: ServerStoreDeps): Promise<ServerStore> {
  const { config, version, runtime, onNotice, metrics } = deps;
  const { onStoreError: mode } = config.limits;
  const news = createThrottle(repeatMs, runtime.monotonic);

  function onStoreError(error: StoreError): void {
    metrics.storageError(error.operation);
    if (news.due(error.reason))
      onNotice("error", "the store failed", { operation: error.operation, error: error.reason });
  }

  const store = await openStore({
    ...toStoreOptions(config, deps, {
      isNode: true,
      version,
      mayBegin: true,
      onNotice,
      onDegraded: () => metrics.degraded(mode),
      onError: onStoreError,
    }),
    strictModes: config.storage.strictModes,
    staleMs: config.auth.staleMinutes * 60_000,
    lockPatienceMs,
  });

  return {
    store,
    onStoreError,
    nodes: async () =>
      (await store.listNodes?.()) ?? [
        { id: String(deps.pid), version, seenAt: deps.runtime.now(), isThis: true },
      ],
    /**
     * A node stays in service while quotas are shared out without Redis: otherwise all nodes would go at the same time.
     * It also stays in service with a full disk, because it still reads keys and counts requests.
     */
    async check() {
      if (unwritten(store) > 0) {
        throw new StoreError("check", "Some revocations could not be written. Repeat them.");
      }
      try {
        await store.check();
      } catch (error) {
        if (store.status === undefined || mode === "closed") throw error;
        return { status: "degraded", reason: "The store does not answer or cannot be written." };
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
