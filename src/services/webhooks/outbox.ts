import { createPublisher, type Publisher, type PublisherDeps } from "../events/publish.ts";
import { createSeal, type Seal } from "../../storage/seal.ts";
import { isOwnedBy } from "../access/incarnation.ts";
import type { EndpointRecord } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import { createEndpoints, type Endpoints } from "./endpoints.ts";
import { createGuard, type GuardRules, type Guard } from "./guard.ts";

/** Publishing and its endpoints, without the sending: for servers, and for commands beside them. */
export interface Outbox {
  /** Whether events are stored and sent. */
  enabled: boolean;
  publisher: Publisher;
  endpoints: Endpoints;
  seal: Seal;
  guard: Guard;
}

export interface OutboxDeps extends Pick<PublisherDeps, "runtime" | "onError" | "onPublished" | "live"> {
  store: Pick<Store, "accounts" | "endpoints" | "deliveries" | "hold">;
  /** The options of the configuration. */
  options: GuardRules & { enabled: boolean; encryptionKey: string };
}

export function createOutbox({ store, options, runtime, ...callbacks }: OutboxDeps): Outbox {
  const { enabled, encryptionKey } = options;
  const seal = createSeal({ key: encryptionKey, random: runtime.random });
  const guard = createGuard({ ...options, runtime });
  const endpoints = createEndpoints({ store, seal, guard, runtime });

  /** The endpoints of a deleted account receive its last events, unless another account has its name. */
  async function ofCurrent(name: string): Promise<readonly EndpointRecord[]> {
    const records = await endpoints.ofAccount(name);
    if (records.length === 0) return records;
    const account = await store.accounts.get(name);
    return account === undefined ? records : records.filter((record) => isOwnedBy(record, account));
  }

  // If webhooks are switched off, nothing is stored; subscribers are still notified.
  const endpointsOf = enabled ? ofCurrent : async () => [];
  const publisher = createPublisher({ store, endpointsOf, runtime, ...callbacks });
  return { enabled, publisher, endpoints, seal, guard };
}
