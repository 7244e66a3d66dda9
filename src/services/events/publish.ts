import { formatUuids } from "../../lib/uuid/format.ts";
import { unixUuids } from "../../lib/uuid/timed.ts";
import { toInstant } from "../../catalog/duration.ts";
import type { Live } from "./live/live.ts";
import type { Delivery, Once, StoredEvent } from "../storage/deliveries/delivery-queue.ts";
import type { EndpointRecord } from "../storage/records.ts";
import type { Store } from "../storage/storage.ts";
import type { EventBody, EventData, EventType } from "./types.ts";

/** Puts what has happened into the queue, for every endpoint that wants to know, and tells those who look on. */
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
  /**
   * Whether the event is sent before all others, even to an endpoint that failed, because somebody waits for the
   * answer.
   */
  urgent?: boolean;
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
  live?: Live | undefined;
}

export function createPublisher(deps: PublisherDeps): Publisher {
  const { store, endpointsOf, now, random, onError, onPublished, live } = deps;

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
    const id = `evt_${formatUuids(unixUuids(1, time, random))}`;
    return { id, type, timestamp: toInstant(time), account, data };
  };

  return {
    async publish(type, account, data, options = {}) {
      const time = now();
      let body: EventBody | undefined;
      const tell = (): void => {
        if (live?.hears("event", account) !== true) return;
        live.tell("event", account, (body ??= toBody(type, account, data, time)), options.once?.name);
      };
      try {
        const endpoints = await endpointsFor(type, account, options);
        if (endpoints.length === 0) {
          tell();
          return { deliveries: [] };
        }
        body = toBody(type, account, data, time);
        const event: StoredEvent = { id: body.id, type, account, body: JSON.stringify(body) };
        const queue = await store.deliveries();
        const deliveries = await queue.add(event, endpoints, options.once, options.urgent);
        if (deliveries.length > 0) {
          onPublished?.(type, deliveries.length);
          tell();
        }
        return { event, deliveries };
      } catch (error) {
        // It has happened all the same.
        tell();
        onError(error, type, account);
        return { deliveries: [], error };
      }
    },
  };
}

/** One that is paused gets it when it is resumed; one that is disabled has done with everything. */
const wants = ({ state, events }: EndpointRecord, type: EventType): boolean =>
  state !== "disabled" && (events.includes("*") || events.includes(type));
