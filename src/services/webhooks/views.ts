import { toInstant } from "../../catalog/duration.ts";
import { type Seal, SealError } from "../../storage/seal.ts";
import type { Attempt, Delivery, DeliveryDetail, Health } from "../../storage/deliveries/delivery-queue.ts";
import type { EndpointRecord } from "../../storage/records.ts";
import { maskSecret } from "./secret.ts";

/** An endpoint as the operator sees it: its secret is masked, and null if it cannot be read. */
export interface EndpointView {
  id: string;
  account: string;
  url: string;
  method: "POST" | "PUT";
  events: readonly string[];
  state: EndpointRecord["state"];
  disabledReason: "gone" | "failing" | null;
  disabledAt: string | null;
  retryClientErrors: boolean;
  description: string | null;
  secret: string | null;
  /** Until when the previous secret signs too. */
  previousUntil: string | null;
  createdAt: string;
}

/** An endpoint with its health. */
export interface EndpointDetailView extends EndpointView {
  /** Consecutive failed attempts, and their start. */
  failures: number;
  failingSince: string | null;
}

/** The only answer that shows the secret. */
export interface NewSecretView extends EndpointView {
  secret: string;
  /** A sentence for the operator about the URL. */
  warning?: string;
}

export interface DeliveryView {
  id: string;
  event: string;
  type: string;
  account: string;
  endpoint: string;
  state: Delivery["state"];
  attempts: number;
  createdAt: string;
  nextAt: string | null;
  endedAt: string | null;
  reason: string | null;
}

export interface AttemptView {
  number: number;
  at: string;
  durationMs: number;
  outcome: Attempt["outcome"];
  status: number | null;
  error: string | null;
  excerpt: string | null;
}

export interface DeliveryDetailView extends DeliveryView {
  log: AttemptView[];
  /** The body as sent. */
  body: string;
}

export function toEndpointView(record: EndpointRecord, seal: Seal, now: number): EndpointView {
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
    secret: maskKept(record, seal),
    previousUntil: previousUntil !== undefined && Date.parse(previousUntil) > now ? previousUntil : null,
    createdAt: record.createdAt,
  };
}

export const toEndpointDetailView = (
  view: EndpointView,
  { failures, failingSince }: Health,
): EndpointDetailView => ({ ...view, failures, failingSince: toInstantOrNull(failingSince) });

export const toDeliveryView = (delivery: Delivery): DeliveryView => ({
  id: delivery.id,
  event: delivery.event,
  type: delivery.type,
  account: delivery.account,
  endpoint: delivery.endpoint,
  state: delivery.state,
  attempts: delivery.attempts,
  createdAt: toInstant(delivery.createdAt),
  nextAt: toInstantOrNull(delivery.nextAt),
  endedAt: toInstantOrNull(delivery.endedAt),
  reason: delivery.reason ?? null,
});

export const toDeliveryDetailView = (detail: DeliveryDetail): DeliveryDetailView => ({
  ...toDeliveryView(detail),
  log: detail.log.map(({ number, at, durationMs, outcome, status, error, excerpt }) => ({
    number,
    at: toInstant(at),
    durationMs,
    outcome,
    status: status ?? null,
    error: error ?? null,
    excerpt: excerpt ?? null,
  })),
  body: detail.body,
});

function maskKept({ id, secret }: EndpointRecord, seal: Seal): string | null {
  try {
    return maskSecret(seal.open(secret, id));
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

const toInstantOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : toInstant(ms));
