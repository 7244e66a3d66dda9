import { formatUuids } from "../../lib/uuid/format.ts";
import { unixUuids } from "../../lib/uuid/timed.ts";
import { toInstant } from "../duration.ts";
import type { Delivery, Once, StoredEvent } from "../storage/deliveries/delivery-queue.ts";
import type { EndpointRecord } from "../storage/records.ts";
import type { Store } from "../storage/storage.ts";
import type { EventBody, EventData, EventType } from "./types.ts";

/** Puts what has happened into the queue, for every endpoint that wants to know. */
export interface Publisher {
  /** Resolves when the event is kept. Never fails the act that it tells of: what goes wrong is in the answer, and reported. */
  publish<Type extends EventType>(
    type: Type,
    account: string,
    data: EventData[Type],
    options?: PublishOptions,
  ): Promise<Published>;
}

export interface PublishOptions {
  /** For what several may notice. */
  once?: Once;
  /** These endpoints, whatever events they are for. */
  only?: readonly string[];
  /** Ids of endpoints that are not told. */
  except?: readonly string[];
}

export interface Published {
  /** Undefined where no endpoint wants it. */
  event?: StoredEvent;
  /** None where it was published before. */
  deliveries: readonly Delivery[];
  /** Why it was not. */
  error?: unknown;
}

export interface PublisherDeps {
  store: Pick<Store, "deliveries">;
  /** The endpoints of an account, at most half a second old. */
  endpointsOf(account: string): Promise<readonly EndpointRecord[]>;
  /** Epoch milliseconds. */
  now(): number;
  random(size: number): Uint8Array;
  /** Told of an event that nobody will hear of. */
  onError(error: unknown, type: EventType, account: string): void;
  /** Told of each event that was kept, with the number of its deliveries. */
  onPublished?: (type: EventType, deliveries: number) => void;
}

export function createPublisher(deps: PublisherDeps): Publisher {
  const { store, endpointsOf, now, random, onError, onPublished } = deps;

  async function endpointsFor(
    type: EventType,
    account: string,
    { only, except = [] }: PublishOptions,
  ): Promise<readonly string[]> {
    if (only !== undefined) return only;
    const endpoints = await endpointsOf(account);
    return endpoints.filter((one) => wants(one, type) && !except.includes(one.id)).map(({ id }) => id);
  }

  return {
    async publish(type, account, data, options = {}) {
      const time = now();
      try {
        const endpoints = await endpointsFor(type, account, options);
        if (endpoints.length === 0) return { deliveries: [] };
        const id = `evt_${formatUuids(unixUuids(1, time, random))}`;
        const body: EventBody = { id, type, timestamp: toInstant(time), account, data };
        const event: StoredEvent = { id, type, account, body: JSON.stringify(body) };
        const queue = await store.deliveries();
        const deliveries = await queue.add(event, endpoints, options.once);
        if (deliveries.length > 0) onPublished?.(type, deliveries.length);
        return { event, deliveries };
      } catch (error) {
        onError(error, type, account);
        return { deliveries: [], error };
      }
    },
  };
}

/** One that is paused gets it when it is resumed; one that is disabled has done with everything. */
const wants = ({ state, events }: EndpointRecord, type: EventType): boolean =>
  state !== "disabled" && (events.includes("*") || events.includes(type));
