import { formatUuids } from "../../lib/uuid/format.ts";
import { unixUuids } from "../../lib/uuid/timed.ts";
import { toInstant } from "../../catalog/duration.ts";
import type { Live } from "./live/live.ts";
import type { Delivery, Once, StoredEvent } from "../../storage/deliveries/delivery-queue.ts";
import type { EndpointRecord } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import type { EventBody, EventData, EventType } from "./types.ts";
import type { Runtime } from "../../runtime.ts";

/** Queues events for the endpoints that want them, and publishes them to subscribers. */
export interface Publisher {
  /**
   * Resolves when the event is stored. Never rejects, so that the act itself does not fail: an error is returned and
   * reported.
   */
  publish<Type extends EventType>(
    type: Type,
    account: string,
    data: EventData[Type],
    options?: PublishOptions,
  ): Promise<Published>;
}

export interface PublishOptions {
  /** Deduplicates an event that several nodes may notice. */
  once?: Once;
  /** Sends the event before all others, even to a failing endpoint, because a person waits for the answer. */
  urgent?: boolean;
  /** Send to these endpoints only, whatever events they want. */
  only?: readonly string[];
  /** Ids of endpoints to leave out. */
  except?: readonly string[];
}

export interface Published {
  /** Undefined if no endpoint wants it. */
  event?: StoredEvent;
  /** Empty if it was published before. */
  deliveries: readonly Delivery[];
  /** The error that kept it from being stored. */
  error?: unknown;
}

export interface PublisherDeps {
  store: Pick<Store, "deliveries">;
  /** The endpoints of an account, at most half a second old. */
  endpointsOf(account: string): Promise<readonly EndpointRecord[]>;
  runtime: Runtime;
  /** Called for each event that is lost. */
  onError(error: unknown, type: EventType, account: string): void;
  /** Called for each stored event with the number of its deliveries. */
  onPublished?: (type: EventType, deliveries: number) => void;
  live?: Live | undefined;
}

export function createPublisher(deps: PublisherDeps): Publisher {
  const { store, endpointsOf, runtime, onError, onPublished, live } = deps;

  async function endpointsFor(
    type: EventType,
    account: string,
    { only, except = [] }: PublishOptions,
  ): Promise<readonly string[]> {
    if (only !== undefined) return only;
    const endpoints = await endpointsOf(account);
    return endpoints.filter((one) => wants(one, type) && !except.includes(one.id)).map(({ id }) => id);
  }

  const toBody = <Type extends EventType>(
    type: Type,
    account: string,
    data: EventData[Type],
    time: number,
  ): EventBody<Type> => {
    const id = `evt_${formatUuids(unixUuids(1, time, runtime.random))}`;
    return { id, type, timestamp: toInstant(time), account, data };
  };

  return {
    async publish(type, account, data, options = {}) {
      const time = runtime.now();
      let body: EventBody | undefined;
      const notify = (): void => {
        if (live?.hasSubscribers("event", account) !== true) return;
        live.publish("event", account, (body ??= toBody(type, account, data, time)), options.once?.name);
      };
      try {
        const endpoints = await endpointsFor(type, account, options);
        if (endpoints.length === 0) {
          notify();
          return { deliveries: [] };
        }
        body = toBody(type, account, data, time);
        const event: StoredEvent = { id: body.id, type, account, body: JSON.stringify(body) };
        const queue = await store.deliveries();
        const deliveries = await queue.add(event, endpoints, options.once, options.urgent);
        if (deliveries.length > 0) {
          onPublished?.(type, deliveries.length);
          notify();
        }
        return { event, deliveries };
      } catch (error) {
        // Subscribers are informed although the event could not be stored: the act has happened.
        notify();
        onError(error, type, account);
        return { deliveries: [], error };
      }
    },
  };
}

/** A paused endpoint receives the event when it is resumed; a disabled one never does. */
const wants = ({ state, events }: EndpointRecord, type: EventType): boolean =>
  state !== "disabled" && (events.includes("*") || events.includes(type));
