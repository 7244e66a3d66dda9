import { signBody } from "../../lib/webhook/sign.ts";
import { signatureOf } from "../../lib/webhook/standard-webhooks.ts";

/** One attempt to deliver an event. */
export interface Outgoing {
  event: { id: string; type: string };
  /** The delivery id. */
  delivery: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** The body, sent and signed unchanged. */
  body: string;
  /** `whsec_` and base64. */
  secret: string;
  /** The secret before a rotation, while a receiver may still use it. */
  previousSecret?: string | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Returns the headers of an attempt, by lower-case name. X-Signature and similar headers use the secret as written; the
 * three headers of Standard Webhooks use it decoded, as that specification requires.
 */
export function toHeaders({
  event,
  delivery,
  attempt,
  body,
  secret,
  previousSecret,
  now,
}: Outgoing): Record<string, string> {
  const bytes = Buffer.from(body);
  const timestamp = String(Math.floor(now / 1000));
  const signature = signBody(secret, bytes);
  // The new signature first, for receivers that verify only one.
  const standard = [secret, ...(previousSecret === undefined ? [] : [previousSecret])]
    .map((one) => signatureOf(one, event.id, timestamp, bytes))
    .filter((one) => one !== undefined);
  return {
    "content-type": "application/json",
    "x-signature": signature,
    "x-signature-sha256": signature,
    ...(previousSecret !== undefined && { "x-signature-previous": signBody(previousSecret, bytes) }),
    "x-event-id": event.id,
    "x-event-type": event.type,
    "x-delivery-id": delivery,
    "x-attempt": String(attempt),
    "webhook-id": event.id,
    "webhook-timestamp": timestamp,
    ...(standard.length > 0 && { "webhook-signature": standard.map((one) => `v1,${one}`).join(" ") }),
  };
}
