import { signBody } from "../../lib/webhook/sign.ts";
import { signatureOf } from "../../lib/webhook/standard-webhooks.ts";

/** The values that identify an attempt to deliver an event. */
export interface AttemptIdentity {
  event: { id: string; type: string };
  /** The delivery id. */
  delivery: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** Epoch milliseconds. */
  now: number;
}

/** One attempt to deliver an event. */
export interface Outgoing extends AttemptIdentity {
  /** The body, sent and signed unchanged. */
  body: string;
  /** `whsec_` and base64. */
  secret: string;
  /** The secret before a rotation, while a receiver may still use it. */
  previousSecret?: string | undefined;
}

/**
 * Returns the headers of an attempt, by lower-case name. X-Signature and similar headers use the secret as written; the
 * three headers of Standard Webhooks use it decoded, as that specification requires.
 */
export function toHeaders({ body, secret, previousSecret, ...identity }: Outgoing): Record<string, string> {
  const { event } = identity;
  const bytes = Buffer.from(body);
  const timestamp = toTimestamp(identity);
  const signature = signBody(secret, bytes);
  // The new signature first, for receivers that verify only one.
  const standard = [secret, ...(previousSecret === undefined ? [] : [previousSecret])]
    .map((one) => signatureOf(one, event.id, timestamp, bytes))
    .filter((one) => one !== undefined);
  return {
    ...toUnsignedHeaders(identity),
    "x-signature": signature,
    "x-signature-sha256": signature,
    ...(previousSecret !== undefined && { "x-signature-previous": signBody(previousSecret, bytes) }),
    ...(standard.length > 0 && { "webhook-signature": standard.map((one) => `v1,${one}`).join(" ") }),
  };
}

/**
 * Returns the headers of an attempt without its signatures. They follow from what is kept of the attempt; the secret that
 * signed it may have been replaced since.
 */
export const toUnsignedHeaders = (identity: AttemptIdentity): Record<string, string> => ({
  "content-type": "application/json",
  "x-event-id": identity.event.id,
  "x-event-type": identity.event.type,
  "x-delivery-id": identity.delivery,
  "x-attempt": String(identity.attempt),
  "webhook-id": identity.event.id,
  "webhook-timestamp": toTimestamp(identity),
});

/** In whole seconds: receivers refuse timestamps that are older than five minutes. */
const toTimestamp = ({ now }: AttemptIdentity): string => String(Math.floor(now / 1000));
