import { createPublisher, type Publisher, type PublisherDeps } from "../events/publish.ts";
import { createSeal, type Seal } from "../storage/seal.ts";
import type { Store } from "../storage/storage.ts";
import { createEndpoints, type Endpoints } from "./endpoints.ts";
import { createGuard, type GuardRules, type Guard } from "./guard.ts";

/** Events and where they go, all but the sending: for servers, and for commands without one. */
export interface Outbox {
  /** Whether anything is sent, and kept for that. */
  enabled: boolean;
  publisher: Publisher;
  endpoints: Endpoints;
  seal: Seal;
  guard: Guard;
}

export interface OutboxDeps extends Pick<
  PublisherDeps,
  "now" | "random" | "onError" | "onPublished" | "live"
> {
  store: Pick<Store, "accounts" | "endpoints" | "deliveries">;
  /** As in the configuration. */
  options: GuardRules & { enabled: boolean; encryptionKey: string };
}

export function createOutbox({ store, options, now, random, ...told }: OutboxDeps): Outbox {
  const { enabled, encryptionKey } = options;
  const seal = createSeal({ key: encryptionKey, random });
  const guard = createGuard(options);
  const endpoints = createEndpoints({ store, seal, guard, now, random });
  // Switched off, nothing is kept for anybody; those who look on are told.
  const endpointsOf = enabled ? endpoints.ofAccount : async () => [];
  const publisher = createPublisher({ store, endpointsOf, now, random, ...told });
  return { enabled, publisher, endpoints, seal, guard };
}
