import { z } from "zod";
import { parseSince } from "../../catalog/duration.ts";
import { defined } from "../../lib/defined.ts";
import { checkFilters } from "../../services/webhooks/check-filters.ts";
import { type DeliveryView, toDeliveryView } from "../../services/webhooks/delivery-view.ts";
import type { Table } from "../command.ts";
import { id, maxItems, name, when, whenText } from "../fields.ts";
import { listOf } from "../list.ts";
import { defineOperation } from "../operation.ts";
import { deliveryView, findDelivery } from "./view.ts";

export const deliveryTable: Table<DeliveryView> = {
  headings: [
    "DELIVERY",
    "TYPE",
    "ACCOUNT",
    "ENDPOINT",
    "STATE",
    "ATTEMPTS",
    "CREATED",
    "NEXT/ENDED",
    "REASON",
  ],
  toRow: ({ id: delivery, type, account, endpoint, state, attempts, createdAt, nextAt, endedAt, reason }) => [
    delivery,
    type,
    account,
    endpoint,
    state,
    String(attempts),
    createdAt,
    nextAt ?? endedAt ?? "-",
    reason ?? "-",
  ],
};

export const listDeliveries = defineOperation({
  name: "webhooks.deliveries",
  summary: "List deliveries, newest first.",
  kind: "reads",
  callers: "owner",
  input: z.strictObject({
    endpoint: id.optional(),
    account: name.optional(),
    event: id.optional(),
    type: z.string().max(64).optional(),
    state: deliveryView.shape.state.optional(),
    since: when.optional(),
    after: id.optional(),
    limit: maxItems.optional(),
  }),
  output: listOf(deliveryView),
  command: {
    options: {
      endpoint: { hint: "ID", text: "Only deliveries to this endpoint (we_…)" },
      account: { hint: "NAME", text: "Only deliveries of this account" },
      event: { hint: "ID", text: "Only deliveries of this event (evt_…)" },
      type: { hint: "TYPE", text: "Only events of this type, such as key.issued" },
      state: { hint: "waiting|delivered|failed", text: "Only deliveries in this state" },
      since: { hint: "WHEN", text: whenText },
      limit: { hint: "N", text: "At most this many, newest first, 1 to 10000 (default 100)" },
    },
    table: deliveryTable,
  },
  byHand: { command: "webhooks deliveries", field: "deliveries" },
  async run({ store, runtime }, { since, after, limit = 100, ...query }) {
    const from = since === undefined ? undefined : parseSince(since, runtime.now(), "/since");
    const queue = await store.deliveries();
    const last = after === undefined ? undefined : await findDelivery(queue, after);
    const found = await queue.list({ limit, ...defined({ ...query, since: from, after: last }) });
    if (found.length === 0 && after === undefined) await checkFilters(defined(query), store.accounts);
    return { items: found.map(toDeliveryView) };
  },
});
