import type { Live } from "../events/live/live.ts";
import type { Delivery, DeliveryQueue, Settlement } from "../storage/deliveries/delivery-queue.ts";
import { toDeliveryView } from "./views.ts";

/** Of those that end all at once: somebody looks on, and nobody reads ten thousand of them. */
const endedMost = 1000;

/** The same queue, with word of each delivery that is added, tried or redelivered, and of those that end with their endpoint. */
export function withQueueEvents(
  queue: DeliveryQueue,
  { live, now }: { live: Live; now(): number },
): DeliveryQueue {
  function tell(delivery: Delivery): void {
    const { account } = delivery;
    if (live.hears("delivery", account)) live.tell("delivery", account, toDeliveryView(delivery));
  }

  /** The newest of an endpoint; what cannot be read now has no listeners either. */
  const newestOf = async (endpoint: string, state: Delivery["state"]): Promise<Delivery[]> =>
    live.hears("delivery") ? queue.list({ endpoint, state, limit: endedMost }).catch(() => []) : [];

  return {
    ...queue,
    async add(event, ...rest) {
      const added = await queue.add(event, ...rest);
      for (const delivery of added) tell(delivery);
      return added;
    },
    async settle(claim, result) {
      const health = await queue.settle(claim, result);
      // What was given back unused has not changed.
      if (health !== undefined && (result.attempt !== undefined || result.state !== "waiting")) {
        const { delivery } = claim;
        if (live.hears("delivery", delivery.account)) tell(settled(delivery, result, now()));
      }
      return health;
    },
    async redeliver(id) {
      const anew = await queue.redeliver(id);
      if (anew !== undefined) tell(anew);
      return anew;
    },
    async fail(endpoint, reason) {
      const waiting = new Set((await newestOf(endpoint, "waiting")).map(({ id }) => id));
      const count = await queue.fail(endpoint, reason);
      // Those that were being made may have ended otherwise.
      const failed = waiting.size > 0 && count > 0 ? await newestOf(endpoint, "failed") : [];
      for (const delivery of failed) if (waiting.has(delivery.id)) tell(delivery);
      return count;
    },
  };
}

/** What the store has made of it; its clock may differ by the way there. */
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
