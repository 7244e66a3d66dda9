import { z } from "zod";
import { ToolError } from "../../catalog/errors.ts";
import { refused } from "../../catalog/refused.ts";
import type { NewSecret } from "../../services/webhooks/endpoints.ts";
import { maskSecret } from "../../services/webhooks/secret.ts";
import type { DeliveryDetail, DeliveryQueue } from "../../storage/deliveries/delivery-queue.ts";
import { disabledReasons, type EndpointRecord, endpointStates } from "../../storage/records.ts";
import { type Seal, SealError } from "../../storage/seal.ts";
import type { Context } from "../context.ts";

/** An endpoint as the operator sees it: its secret is masked, and null if it cannot be read. */
export const endpointView = z.strictObject({
  id: z.string(),
  account: z.string(),
  url: z.string(),
  method: z.enum(["POST", "PUT"]),
  events: z.array(z.string()).readonly(),
  state: z.enum(endpointStates),
  disabledReason: z.enum(disabledReasons).nullable(),
  disabledAt: z.string().nullable(),
  retryClientErrors: z.boolean(),
  description: z.string().nullable(),
  secret: z.string().nullable(),
  /** Until when the previous secret signs too. */
  previousUntil: z.string().nullable(),
  createdAt: z.string(),
});

export type EndpointView = z.output<typeof endpointView>;

/** The only answer that shows the secret; `warning` is a sentence for the operator about the URL. */
export const newSecretView = endpointView.extend({ secret: z.string(), warning: z.string().optional() });

export type NewSecretView = z.output<typeof newSecretView>;

export const deliveryView = z.strictObject({
  id: z.string(),
  event: z.string(),
  type: z.string(),
  account: z.string(),
  endpoint: z.string(),
  state: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.int(),
  createdAt: z.string(),
  nextAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  reason: z.string().nullable(),
});

export function toEndpointView({ outbox, runtime }: Context, record: EndpointRecord): EndpointView {
  const { previousUntil } = record;
  return {
    id: record.id,
    account: record.account,
    url: record.url,
    method: record.method,
    events: record.events,
    state: record.state,
    disabledReason: record.disabledReason ?? null,
    disabledAt: record.disabledAt ?? null,
    retryClientErrors: record.retryClientErrors,
    description: record.description ?? null,
    secret: maskKept(record, outbox.seal),
    previousUntil:
      previousUntil !== undefined && Date.parse(previousUntil) > runtime.now() ? previousUntil : null,
    createdAt: record.createdAt,
  };
}

function maskKept({ id, secret }: EndpointRecord, seal: Seal): string | null {
  try {
    return maskSecret(seal.open(secret, id));
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

export function toNewSecretView(context: Context, { record, secret, warning }: NewSecret): NewSecretView {
  const warnings = [warning, context.outbox.enabled ? undefined : switchedOff].filter(
    (one) => one !== undefined,
  );
  return {
    ...toEndpointView(context, record),
    secret,
    ...(warnings.length > 0 && { warning: warnings.join(" ") }),
  };
}

const switchedOff = "Nothing is sent: webhooks.enabled is false.";

/** Returns an endpoint that can be sent to now. */
export async function servingEndpoint({ outbox }: Context, id: string): Promise<EndpointRecord> {
  const record = await outbox.endpoints.get(id);
  if (!outbox.enabled) throw refused("", switchedOff);
  if (record.state === "active") return record;
  throw refused(
    "/id",
    `The endpoint ${record.id} is ${record.state}: nothing is sent to it. Resume it with penknife admin webhooks resume ${record.id}, or resumeWebhookEndpoint over GraphQL.`,
  );
}

/** @throws ToolError not_found */
export async function findDelivery(queue: DeliveryQueue, id: string): Promise<DeliveryDetail> {
  const isId = /^dlv_[0-9a-f-]{36}$/.test(id);
  const found = isId ? await queue.get(id) : undefined;
  if (found !== undefined) return found;
  const what = isId ? `delivery ${id}` : "such delivery";
  throw new ToolError(
    "not_found",
    `There is no ${what}. It may be too old (webhooks.keepDays); penknife admin webhooks deliveries lists those that are kept.`,
  );
}
