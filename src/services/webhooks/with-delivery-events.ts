import type { Live } from "../events/live/live.ts";
import type { Delivery, DeliveryQueue, Settlement } from "../../storage/deliveries/delivery-queue.ts";
import { toDeliveryView } from "./delivery-view.ts";
import type { Runtime } from "../../runtime.ts";

/** Most deliveries announced when an endpoint is failed in bulk. */
const maxEnded = 1000;

/**
 * Returns the queue with live updates: each delivery that is added, attempted or redelivered, and those that end with
 * their endpoint.
 */
export function withQueueEvents(
  queue: DeliveryQueue,
  { live, runtime }: { live: Live; runtime: Runtime },
): DeliveryQueue {
  function publish(delivery: Delivery): void {
    const { account } = delivery;
    if (live.hasSubscribers("delivery", account)) live.publish("delivery", account, toDeliveryView(delivery));
  }

  /**
   * Returns the newest deliveries of an endpoint; none if the queue cannot be read, since nobody can be notified then
   * either.
   */
  const newestOf = async (endpoint: string, state: Delivery["state"]): Promise<Delivery[]> =>
    live.hasSubscribers("delivery") ? queue.list({ endpoint, state, limit: maxEnded }).catch(() => []) : [];

  return {
    ...queue,
    async add(event, ...rest) {
      const added = await queue.add(event, ...rest);
      for (const delivery of added) publish(delivery);
      return added;
    },
    async settle(claim, result) {
      const health = await queue.settle(claim, result);
      // A claim returned unused has not changed the delivery.
      if (health !== undefined && (result.attempt !== undefined || result.state !== "waiting")) {
        const { delivery } = claim;
        if (live.hasSubscribers("delivery", delivery.account))
          publish(settled(delivery, result, runtime.now()));
      }
      return health;
    },
    async redeliver(id) {
      const anew = await queue.redeliver(id);
      if (anew !== undefined) publish(anew);
      return anew;
    },
    async fail(endpoint, reason) {
      const waiting = new Set((await newestOf(endpoint, "waiting")).map(({ id }) => id));
      const count = await queue.fail(endpoint, reason);
      // Deliveries in progress may have ended otherwise.
      const failed = waiting.size > 0 && count > 0 ? await newestOf(endpoint, "failed") : [];
      for (const delivery of failed) if (waiting.has(delivery.id)) publish(delivery);
      return count;
    },
  };
}

/** Returns the delivery as the store has settled it; its clock may differ slightly. */
function settled(
  { nextAt: _due, ...delivery }: Delivery,
  { attempt, state, nextAt, reason }: Settlement,
  at: number,
): Delivery {
  return {
    ...delivery,
    state,
    attempts: delivery.attempts + (attempt === undefined ? 0 : 1),
    ...(state === "waiting" ? { nextAt: nextAt ?? at } : { endedAt: at }),
    ...(reason !== undefined && { reason }),
  };
}
