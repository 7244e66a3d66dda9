import type { Config } from "../options.ts";
import { lazy } from "../lib/lazy.ts";
import { createLimitNotes, type NoteLimit } from "../services/events/limit-notes.ts";
import type { Live } from "../services/events/live/live.ts";
import type { PublisherDeps } from "../services/events/publish.ts";
import type { Store } from "../storage/storage.ts";
import type { Outbox } from "../services/webhooks/outbox.ts";
import type { Admin } from "./admin.ts";
import type { OperatorDeps } from "./operator.ts";
import type { DeliveryQueue } from "../storage/deliveries/delivery-queue.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Administration of one store, and the events that it publishes: the same in a server and in a command that opens the
 * store itself. Each part is created on first use, so that no start waits for it.
 */
export interface Operator {
  /** The store, with a delivery queue that publishes its changes to subscribers. */
  readonly store: Store;
  live(): Promise<Live>;
  outbox(): Promise<Outbox>;
  /** One for all callers in this process, so that their acts run one after another. */
  admin(): Promise<Admin>;
  noteLimit: NoteLimit;
  /** Ends live events. Call it before the store is closed. */
  close(): Promise<void>;
}

export interface OpenOperatorDeps extends Omit<OperatorDeps, "outbox" | "backups" | "maxKeyDays"> {
  config: Pick<Config, "auth" | "graphql" | "storage" | "webhooks">;
  /** The release of penknife, recorded in backups. */
  release(): string | Promise<string>;
  /** Called for each event that is lost. */
  onLost: PublisherDeps["onError"];
  onPublished?: PublisherDeps["onPublished"];
}

export function openOperator(deps: OpenOperatorDeps): Operator {
  const { config, runtime, onLost, onPublished } = deps;
  const live = lazy(async () => {
    const { createLive } = await import("../services/events/live/live.ts");
    return createLive({ channel: deps.store.channel, runtime });
  });

  // Only GraphQL has subscribers.
  const subscribable = config.graphql.enabled;
  const store = subscribable ? withDeliveryEvents(deps.store, { live, runtime }) : deps.store;

  const outbox = lazy(async () => {
    const { createOutbox } = await import("../services/webhooks/outbox.ts");
    return createOutbox({
      store,
      options: { ...config.webhooks, encryptionKey: config.storage.encryptionKey },
      runtime,
      live: subscribable ? await live() : undefined,
      onError: onLost,
      ...(onPublished && { onPublished }),
    });
  });

  const admin = lazy(async () => {
    const { createOperator } = await import("./operator.ts");
    return createOperator({
      ...deps,
      store,
      outbox: await outbox(),
      maxKeyDays: config.auth.maxKeyDays,
      backups: lazy(async () => {
        const { createBackups } = await import("../services/transfer/backup.ts");
        return createBackups({ store, runtime, release: await deps.release() });
      }),
    });
  });

  return {
    store,
    live,
    outbox,
    admin,
    noteLimit: createLimitNotes({
      enabled: config.webhooks.enabled || subscribable,
      publisher: async () => (await outbox()).publisher,
      runtime,
    }),
    close: async () => (await live.made())?.close(),
  };
}

/** Returns the store with a delivery queue that publishes each change of a delivery to subscribers. */
export function withDeliveryEvents(
  store: Store,
  { live, runtime }: { live(): Promise<Live>; runtime: Runtime },
): Store {
  let known: { queue: DeliveryQueue; wrapped: DeliveryQueue } | undefined;
  return {
    ...store,
    async deliveries() {
      const queue = await store.deliveries();
      if (known?.queue === queue) return known.wrapped;
      const { withQueueEvents } = await import("../services/webhooks/with-delivery-events.ts");
      known = { queue, wrapped: withQueueEvents(queue, { live: await live(), runtime }) };
      return known.wrapped;
    },
  };
}
