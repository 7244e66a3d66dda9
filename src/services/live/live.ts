import type { EventBody } from "../events/types.ts";
import type { DeliveryView } from "../webhooks/views.ts";

/** What is told of as it happens, by topic. */
export interface LiveTopics {
  /** What endpoints are sent as well, whether there is one or not. */
  event: EventBody;
  /** A delivery that was added, tried or has ended. */
  delivery: DeliveryView;
}

/**
 * What happens now, for those who look on: on every node of a store that nodes share. Nothing is kept. Who is not
 * there misses it; whoever must not miss anything has an endpoint.
 */
export interface Live {
  /** Never fails, and nobody waits for it. */
  tell<Topic extends keyof LiveTopics>(topic: Topic, account: string, value: LiveTopics[Topic]): void;
  /** Of this account, or of all where none is given. Returns how to end that. */
  listen<Topic extends keyof LiveTopics>(
    topic: Topic,
    account: string | undefined,
    listener: (value: LiveTopics[Topic]) => void,
  ): () => void;
  close(): Promise<void>;
}
