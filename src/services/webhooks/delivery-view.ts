import { toInstant, toInstantOrNull } from "../../catalog/duration.ts";
import type { Delivery } from "../../storage/deliveries/delivery-queue.ts";

/** A delivery as its owner sees it. Times are instants of RFC 3339. */
export interface DeliveryView {
  id: string;
  event: string;
  type: string;
  account: string;
  endpoint: string;
  state: Delivery["state"];
  attempts: number;
  createdAt: string;
  nextAt: string | null;
  endedAt: string | null;
  reason: string | null;
}

export const toDeliveryView = (delivery: Delivery): DeliveryView => ({
  id: delivery.id,
  event: delivery.event,
  type: delivery.type,
  account: delivery.account,
  endpoint: delivery.endpoint,
  state: delivery.state,
  attempts: delivery.attempts,
  createdAt: toInstant(delivery.createdAt),
  nextAt: toInstantOrNull(delivery.nextAt),
  endedAt: toInstantOrNull(delivery.endedAt),
  reason: delivery.reason ?? null,
});
