import type { QueueOptions } from "./deliveries/delivery-queue.ts";
import type { StoreOptions } from "./storage.ts";

/** Returns the options of a store's delivery queue. */
export const queueOptionsOf = ({ runtime, webhooks }: StoreOptions): QueueOptions => ({
  runtime,
  perEndpoint: 8,
  circuit: { after: 5, everyMs: 60_000 },
  ...webhooks,
});
