import type { Delivery, DeliveryDetail, DeliveryQuery } from "./delivery-queue.ts";

/** Reports whether a delivery matches a query. */
export const isAskedFor = (delivery: Delivery, query: DeliveryQuery): boolean =>
  (query.account === undefined || delivery.account === query.account) &&
  (query.endpoint === undefined || delivery.endpoint === query.endpoint) &&
  (query.event === undefined || delivery.event === query.event) &&
  (query.type === undefined || delivery.type === query.type) &&
  (query.state === undefined || delivery.state === query.state) &&
  (query.since === undefined || delivery.createdAt >= query.since) &&
  (query.after === undefined || byAge(query.after, delivery) < 0);

type Age = Pick<Delivery, "id" | "createdAt">;

/** Sorts the newest first. */
const byAge = (one: Age, other: Age): number =>
  other.createdAt - one.createdAt || (one.id === other.id ? 0 : one.id < other.id ? 1 : -1);

export interface Newest {
  /** Adds a delivery, or replaces an earlier state of it. */
  see(delivery: Delivery): void;
  /** Newest first. */
  items(): Delivery[];
  /** Reports whether no delivery added before `before` can be among them any more. */
  isComplete(before: number): boolean;
}

/** Keeps the newest deliveries that match a query, of however many it sees. */
export function createNewest(query: DeliveryQuery): Newest {
  const found = new Map<string, Delivery>();
  const max = 2 * query.limit + 1_000;

  const items = (): Delivery[] => [...found.values()].toSorted(byAge).slice(0, query.limit);

  return {
    see(delivery) {
      if (!isAskedFor(delivery, query)) {
        found.delete(delivery.id);
        return;
      }
      found.set(delivery.id, delivery);
      if (found.size < max) return;
      const newest = items();
      found.clear();
      for (const one of newest) found.set(one.id, one);
    },
    items,
    isComplete(before) {
      if (found.size < query.limit) return false;
      const newest = items();
      return newest.length === query.limit && (newest.at(-1)?.createdAt ?? 0) >= before;
    },
  };
}

export function toSummary(detail: DeliveryDetail): Delivery {
  const delivery: Partial<DeliveryDetail> & Delivery = { ...detail };
  delete delivery.log;
  delete delivery.body;
  return delivery;
}
