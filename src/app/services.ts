import { version } from "../build-info.ts";
import { openOperator, type Operator } from "../operations/open-operator.ts";
import type { Config } from "../options.ts";
import { type Auth, createAuth } from "../services/access/auth.ts";
import { createInboxAccess, type InboxAccess } from "../services/inbox/access.ts";
import { createKeyUseRecorder } from "../services/usage/key-uses.ts";
import { createUsageRecorder, type UsageRecorder } from "../services/usage/recorder.ts";
import { createWebhooks, type Webhooks } from "../services/webhooks/webhooks.ts";
import { openServerStore, type ServerStore } from "../storage/server-store.ts";
import { createOperatorSocket } from "../surfaces/socket/operator-socket.ts";
import type { AppDeps } from "./deps.ts";
import type { Telemetry } from "./telemetry.ts";

/** The store of a server and the services over it. */
export interface Services extends ServerStore {
  auth: Auth;
  usage: UsageRecorder;
  operator: Operator;
  webhooks: Webhooks;
  /** Undefined if inboxes are disabled. */
  inbox: InboxAccess | undefined;
  /** Starts the work that no request asks for: sending events, deleting expired messages, and commands on the folder of the store. */
  start(url: string): void;
  /** Stops that work after what is in progress. */
  stop(): Promise<void>;
  /** Writes pending data and closes the store. */
  close(): Promise<void>;
}

/** @throws StoreError if the store cannot be opened. */
export async function openServices(config: Config, deps: AppDeps, telemetry: Telemetry): Promise<Services> {
  const { log, metrics, runtime, inTurn } = telemetry;
  const opened = await openServerStore({
    ...deps,
    runtime: inTurn,
    config,
    version,
    onNotice: log.event,
    metrics,
  });
  const { store, onStoreError } = opened;
  const usage = createUsageRecorder({ open: store.usage, runtime, onError: onStoreError });
  const keyUses = createKeyUseRecorder({ open: store.keyUses, runtime: inTurn, onError: onStoreError });
  const operator = openOperator({
    store,
    config,
    sending: config.webhooks.enabled ? "here" : "nowhere",
    serves: true,
    runtime,
    release: () => version,
    flushUsage: usage.flush,
    flushKeyUses: keyUses.flush,
    // The log is often kept where writers of the store cannot change it.
    onAct: ({ act, ...news }) => log.event("info", "an administrative act", { act, ...news }),
    onPublished: metrics.webhookEvent,
    onLost(error, type, account) {
      webhooks.onError(error);
      log.event("error", "an event is lost", { type, account });
    },
  });
  const webhooks = createWebhooks({
    store: operator.store,
    outbox: operator.outbox,
    options: config.webhooks,
    runtime,
    version,
    log,
    metrics,
    onStoreError,
  });
  const socket = createOperatorSocket({
    store,
    admin: operator.admin,
    folder: config.storage.path,
    onStoreError,
    runtime,
    onNoSocket: () =>
      log.event("warn", "penknife admin cannot reach this server; stop it to manage accounts and keys"),
  });
  const inbox = createInboxAccess({ store, config, onStoreError, runtime });

  return {
    ...opened,
    auth: createAuth({ runtime: inTurn, ...config.auth, ...config.limits, store, onUse: keyUses.note }),
    usage,
    operator,
    webhooks,
    inbox,
    start(url) {
      socket.start(url);
      webhooks.start();
      inbox?.start();
    },
    async stop() {
      inbox?.close();
      await socket.close();
      await webhooks.close();
    },
    async close() {
      await usage.close();
      await keyUses.close();
      await operator.close();
      await store.close();
    },
  };
}
