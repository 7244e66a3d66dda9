import type { DeliveryQueue } from "../../storage/deliveries/delivery-queue.ts";
import type { Store } from "../../storage/storage.ts";
import type { Live } from "./live.ts";

/** Returns the store with a delivery queue that publishes each change of a delivery to subscribers. */
export function withDeliveryEvents(
  store: Store,
  { live, now }: { live(): Promise<Live>; now(): number },
): Store {
  let known: { queue: DeliveryQueue; wrapped: DeliveryQueue } | undefined;
  return {
    ...store,
    async deliveries() {
      const queue = await store.deliveries();
      if (known?.queue === queue) return known.wrapped;
      const { withQueueEvents } = await import("../../webhooks/with-delivery-events.ts");
      known = { queue, wrapped: withQueueEvents(queue, { live: await live(), now }) };
      return known.wrapped;
    },
  };
}
