import type { QueueOptions } from "./deliveries/delivery-queue.ts";
import type { StoreOptions } from "./storage.ts";

/** Returns the options of a store's delivery queue. */
export const queueOptionsOf = ({ now, random = unpredictable, webhooks }: StoreOptions): QueueOptions => ({
  now,
  random,
  perEndpoint: 8,
  circuit: { after: 5, everyMs: 60_000 },
  ...webhooks,
});

const unpredictable = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
