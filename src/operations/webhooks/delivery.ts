import { z } from "zod";
import { toInstant } from "../../catalog/duration.ts";
import { toDeliveryView } from "../../services/webhooks/delivery-view.ts";
import { toUnsignedHeaders } from "../../services/webhooks/request.ts";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { deliveryView, findDelivery } from "./view.ts";

const attemptView = z.strictObject({
  number: z.int(),
  at: z.string(),
  durationMs: z.number(),
  outcome: z.enum(["ok", "retry", "refused"]),
  status: z.int().nullable(),
  error: z.string().nullable(),
  excerpt: z.string().nullable(),
  /** Without the signatures. */
  headers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
});

export type AttemptView = z.output<typeof attemptView>;

export const showDelivery = defineOperation({
  name: "webhooks.delivery",
  summary: "Show a delivery with its attempts and its body as sent.",
  kind: "reads",
  callers: "owner",
  subject: { kind: "delivery", field: "id" },
  input: z.strictObject({ id }),
  output: deliveryView.extend({ log: z.array(attemptView), body: z.string() }),
  graphql: {
    name: "delivery",
    text: "One delivery. Requires a settings session.",
    returns: "Delivery",
  },
  byHand: { command: "webhooks deliveries" },
  async run({ store }, args) {
    const found = await findDelivery(await store.deliveries(), args.id);
    const { event, type } = found;
    return {
      ...toDeliveryView(found),
      log: found.log.map(({ number, at, durationMs, outcome, status, error, excerpt }) => ({
        number,
        at: toInstant(at),
        durationMs,
        outcome,
        status: status ?? null,
        error: error ?? null,
        excerpt: excerpt ?? null,
        headers: Object.entries(
          toUnsignedHeaders({ event: { id: event, type }, delivery: found.id, attempt: number, now: at }),
        ).map(([name, value]) => ({ name, value })),
      })),
      body: found.body,
    };
  },
});
