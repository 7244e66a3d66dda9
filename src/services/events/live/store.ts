import type { DeliveryQueue } from "../../storage/deliveries/delivery-queue.ts";
import type { Store } from "../../storage/storage.ts";
import type { Live } from "./live.ts";

/** The same store, with word of what becomes of its deliveries: for all who add, make, redeliver or end any. */
export function tellOfStore(store: Store, { live, now }: { live(): Promise<Live>; now(): number }): Store {
  let known: { queue: DeliveryQueue; told: DeliveryQueue } | undefined;
  return {
    ...store,
    async deliveries() {
      const queue = await store.deliveries();
      if (known?.queue === queue) return known.told;
      const { tellOfDeliveries } = await import("../../webhooks/tell.ts");
      known = { queue, told: tellOfDeliveries(queue, { live: await live(), now }) };
      return known.told;
    },
  };
}
