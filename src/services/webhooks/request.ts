import { signBody } from "../../lib/webhook/sign.ts";
import { signatureOf } from "../../lib/webhook/standard-webhooks.ts";

/** One attempt to deliver an event. */
export interface Outgoing {
  event: { id: string; type: string };
  /** Its id. */
  delivery: string;
  /** Its number, from 1. */
  attempt: number;
  /** What is sent, and signed. */
  body: string;
  /** `whsec_` and base64. */
  secret: string;
  /** The one before it, while a receiver may still have that. */
  previousSecret?: string | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * The headers of an attempt, by lower-case names. The secret is used as it is written for X-Signature and its kin, and
 * decoded for the three of Standard Webhooks, as that specification has it.
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
  // The new one first: who looks at one only should find that.
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
