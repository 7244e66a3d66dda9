import { ToolError } from "../../catalog/errors.ts";
import type { Config } from "../../options.ts";
import { lazy } from "../../lib/lazy.ts";
import { StoreError } from "../../storage/errors.ts";
import type { Store } from "../../storage/storage.ts";
import type { InboxService } from "./service.ts";
import type { Runtime } from "../../runtime.ts";

/** Opens the inboxes of a server on first use. */
export interface InboxAccess {
  open(): Promise<InboxService>;
  /** Longest message, in bytes. */
  readonly maxBytes: number;
  /** Deletes expired messages once an hour from now on. */
  start(): void;
  close(): void;
}

export interface InboxAccessDeps {
  store: Store;
  config: Pick<Config, "inbox" | "storage">;
  runtime: Runtime;
  onStoreError(error: StoreError): void;
}

const dayMs = 86_400_000;
const mebibyte = 1024 * 1024;
const sweepMs = 3_600_000;

/** Returns undefined if inboxes are switched off. */
export function createInboxAccess(deps: InboxAccessDeps): InboxAccess | undefined {
  const { store, config, runtime, onStoreError } = deps;
  const options = config.inbox;
  if (!options.enabled) return undefined;
  let sweeping: NodeJS.Timeout | undefined;

  async function load(): Promise<InboxService> {
    const { createSeal } = await import("../../storage/seal.ts");
    const { createInboxService } = await import("./service.ts");
    return createInboxService({
      store,
      seal: createSeal({ key: config.storage.encryptionKey, random: runtime.random }),
      kept: {
        messages: options.maxMessages,
        ms: options.keepDays * dayMs,
        bytes: options.maxMb * mebibyte,
      },
      shares: {
        accountBytes: options.maxMbPerAccount * mebibyte,
        storeBytes: options.maxMbTotal * mebibyte,
      },
      runtime,
      onError: onStoreError,
    });
  }

  const open = lazy(load);

  async function sweep(): Promise<void> {
    try {
      // One of the nodes sweeps for all.
      if ((await store.takeTurn?.("inboxes", sweepMs)) === false) return;
      await (await open()).inboxes.sweep();
    } catch (error) {
      if (error instanceof StoreError) onStoreError(error);
      // Reported by the store already; logging it again would hide the cause.
      else if (!(error instanceof ToolError)) runtime.report(error);
    }
  }

  return {
    open,
    maxBytes: options.maxBytes,
    start() {
      sweeping ??= setInterval(() => void sweep(), sweepMs).unref();
    },
    close() {
      clearInterval(sweeping);
    },
  };
}
