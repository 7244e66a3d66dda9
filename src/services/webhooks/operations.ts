import { ToolError } from "../../catalog/errors.ts";
import type { AdminOperation, Handlers, ListView } from "../admin/admin.ts";
import { defined } from "../../lib/defined.ts";
import { parseSince } from "../../catalog/duration.ts";
import { refused } from "../../catalog/refused.ts";
import { requireSeen } from "../access/incarnation.ts";
import { requireAccount } from "../access/require-account.ts";
import type { DeliveryDetail, DeliveryQueue } from "../../storage/deliveries/delivery-queue.ts";
import type { EndpointRecord } from "../../storage/records.ts";
import type { Store } from "../../storage/storage.ts";
import { checkFilters } from "./check-filters.ts";
import type { NewSecret } from "./endpoints.ts";
import type { Outbox } from "./outbox.ts";
import {
  type DeliveryDetailView,
  type DeliveryView,
  type EndpointDetailView,
  type EndpointView,
  type NewSecretView,
  toDeliveryDetailView,
  toDeliveryView,
  toEndpointDetailView,
  toEndpointView,
} from "./views.ts";
import type { Runtime } from "../../runtime.ts";

/** Who sends events: this server, no server of this store, or perhaps another process. */
export type Sending = "here" | "nowhere" | "elsewhere";

/** A test event for one endpoint, and the id of its delivery. */
export interface TestView {
  event: string;
  delivery: string;
  sending: Sending;
}

export interface RecoverView {
  endpoint: string;
  redelivered: number;
  /** Whether more deliveries remain than one call redelivers. */
  more: boolean;
}

type WebhookOperation = Extract<AdminOperation, `webhooks.${string}`>;

/** Most deliveries of one call: a person waits for the answer. */
const maxRecovered = 10_000;
const redeliveriesAtOnce = 64;
const switchedOff = "Nothing is sent: webhooks.enabled is false.";

/** The operator's commands for endpoints and deliveries. */
export function createWebhookHandlers(deps: {
  outbox: Pick<Outbox, "enabled" | "endpoints" | "publisher" | "seal">;
  store: Pick<Store, "accounts" | "deliveries">;
  runtime: Runtime;
  sending: Sending;
}): Pick<Handlers, WebhookOperation> {
  const { outbox, store, runtime, sending } = deps;
  const { enabled, endpoints, publisher, seal } = outbox;
  const toView = (record: EndpointRecord): EndpointView => toEndpointView(record, seal, runtime.now());

  const toNewView = ({ record, secret, warning }: NewSecret): NewSecretView => {
    const warnings = [warning, enabled ? undefined : switchedOff].filter((one) => one !== undefined);
    return { ...toView(record), secret, ...(warnings.length > 0 && { warning: warnings.join(" ") }) };
  };

  /** Returns an endpoint that can be sent to now. */
  async function serving(id: string): Promise<EndpointRecord> {
    const record = await endpoints.get(id);
    if (!enabled) throw refused("", switchedOff);
    if (record.state === "active") return record;
    throw refused(
      "/id",
      `The endpoint ${record.id} is ${record.state}: nothing is sent to it. Resume it with penknife admin webhooks resume ${record.id}, or resumeWebhookEndpoint over GraphQL.`,
    );
  }

  async function find(queue: DeliveryQueue, id: string): Promise<DeliveryDetail> {
    const found = isDeliveryId(id) ? await queue.get(id) : undefined;
    if (found !== undefined) return found;
    const what = isDeliveryId(id) ? `delivery ${id}` : "such delivery";
    throw new ToolError(
      "not_found",
      `There is no ${what}. It may be too old (webhooks.keepDays); penknife admin webhooks deliveries lists those that are kept.`,
    );
  }

  return {
    "webhooks.add": async (args, { owner: caller }): Promise<NewSecretView> =>
      toNewView(await endpoints.add(defined({ ...args, caller }))),
    "webhooks.list": async ({ account }, { owner: caller }): Promise<ListView<EndpointView>> => {
      const { records, damaged } = await endpoints.list(defined({ account, caller }));
      // A deleted account keeps its endpoints for a while; a mistyped name has none.
      if (account !== undefined && records.length === 0) await requireAccount(store.accounts, account);
      return { items: records.map(toView), ...(damaged.length > 0 && { damaged }) };
    },
    "webhooks.show": async ({ id }, { owner }): Promise<EndpointDetailView> => {
      const record = requireSeen(await endpoints.get(id), owner);
      return toEndpointDetailView(toView(record), await (await store.deliveries()).health(record.id));
    },
    "webhooks.remove": async ({ id }) => toView(await endpoints.remove(id)),
    "webhooks.pause": async ({ id }) => toView(await endpoints.pause(id)),
    "webhooks.resume": async ({ id }) => toView(await endpoints.resume(id)),
    "webhooks.rotate": async ({ id, grace }): Promise<NewSecretView> =>
      toNewView(await endpoints.rotate(id, defined({ grace }))),
    "webhooks.test": async ({ id }): Promise<TestView> => {
      const { id: endpoint, account } = await serving(id);
      const data = { endpoint, message: "This is a test. Nothing has happened." };
      const { event, deliveries, error } = await publisher.publish("webhook.test", account, data, {
        only: [endpoint],
        urgent: true,
      });
      if (error !== undefined) throw error;
      const [delivery] = deliveries;
      if (event === undefined || delivery === undefined) throw new TypeError("nothing was published");
      return { event: event.id, delivery: delivery.id, sending };
    },
    "webhooks.deliveries": async ({
      since,
      after,
      limit = 100,
      ...query
    }): Promise<ListView<DeliveryView>> => {
      const from = since === undefined ? undefined : parseSince(since, runtime.now(), "/since");
      const queue = await store.deliveries();
      const last = after === undefined ? undefined : await find(queue, after);
      const found = await queue.list({ limit, ...defined({ ...query, since: from, after: last }) });
      if (found.length === 0 && after === undefined) await checkFilters(defined(query), store.accounts);
      return { items: found.map(toDeliveryView) };
    },
    "webhooks.delivery": async ({ id }): Promise<DeliveryDetailView> =>
      toDeliveryDetailView(await find(await store.deliveries(), id)),
    "webhooks.redeliver": async ({ id }): Promise<DeliveryView> => {
      const queue = await store.deliveries();
      const found = await find(queue, id);
      await serving(found.endpoint);
      return toDeliveryView((await queue.redeliver(id)) ?? found);
    },
    "webhooks.recover": async ({ id, since }): Promise<RecoverView> => {
      const from = parseSince(since, runtime.now(), "/since");
      const endpoint = (await serving(id)).id;
      const queue = await store.deliveries();
      const query = { endpoint, state: "failed", since: from, limit: maxRecovered + 1 } as const;
      const failed = await queue.list(query);
      const some = failed.slice(0, maxRecovered);
      // Oldest first, as the events occurred.
      const ids = some.map((delivery) => delivery.id).toReversed();
      for (let at = 0; at < ids.length; at += redeliveriesAtOnce) {
        await Promise.all(ids.slice(at, at + redeliveriesAtOnce).map((one) => queue.redeliver(one)));
      }
      return { endpoint, redelivered: ids.length, more: failed.length > some.length };
    },
  };
}

const isDeliveryId = (text: string): boolean => /^dlv_[0-9a-f-]{36}$/.test(text);
