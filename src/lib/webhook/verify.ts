import { hash, timingSafeEqual } from "node:crypto";
import { signBody, signHex } from "./sign.ts";
import { readSignatures, signatureOf } from "./standard-webhooks.ts";

export const providers = ["github", "gitlab", "penknife", "slack", "standard-webhooks", "stripe"] as const;

export interface Webhook {
  payload: Uint8Array;
  secret: string;
  /** Returns the value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Epoch seconds. */
  now: number;
  toleranceSeconds: number;
}

/** The reason why a webhook fails verification. */
export interface WebhookFault {
  rule:
    | "missing-header"
    | "malformed-header"
    | "signature-mismatch"
    | "timestamp-out-of-range"
    | "unusable-secret";
  message: string;
}

/** Returns everything wrong with a webhook; nothing if a holder of the secret sent it recently. */
export function verifyWebhook(provider: (typeof providers)[number], webhook: Webhook): WebhookFault[] {
  const faults = schemes[provider](webhook);
  const { secret } = webhook;
  if (faults.length === 0 || secret.trim() === secret) return faults;
  const message = "The secret begins or ends with white space, perhaps the line end of its file; remove it.";
  return [...faults, { rule: "unusable-secret", message }];
}

const schemes: Record<(typeof providers)[number], (webhook: Webhook) => WebhookFault[]> = {
  // Ignores X-Hub-Signature beside it, which relies on SHA-1.
  github({ payload, secret, header }) {
    const sent = header("x-hub-signature-256");
    if (sent === undefined && header("x-hub-signature") !== undefined)
      return [
        {
          rule: "missing-header",
          message:
            "Only X-Hub-Signature is here, which relies on SHA-1; pass X-Hub-Signature-256, which GitHub sends beside it.",
        },
      ];
    if (sent === undefined) return [missing("X-Hub-Signature-256")];
    if (!/^sha256=[\da-f]{64}$/i.test(sent))
      return [malformed("X-Hub-Signature-256", "sha256=<64 hex digits>")];
    return equalSecrets(sent.slice(7).toLowerCase(), signHex(secret, [payload])) ? [] : [mismatch];
  },

  gitlab({ secret, header }) {
    const sent = header("x-gitlab-token");
    if (sent === undefined) return [missing("X-Gitlab-Token")];
    return equalSecrets(sent, secret) ? [] : [mismatch];
  },

  // X-Signature-SHA256 repeats it under a common name; X-Signature-Previous uses the secret before the last
  // rotation, for receivers that still have it.
  penknife({ payload, secret, header }) {
    const sent = penknifeHeaders.flatMap((name) => {
      const value = header(name.toLowerCase());
      return value === undefined ? [] : [{ name, value }];
    });
    if (!sent.some(({ name }) => name !== "X-Signature-Previous")) return [missing("X-Signature")];
    const wrong = sent.find(({ value }) => !/^[\da-f]{64}$/i.test(value));
    if (wrong !== undefined) return [malformed(wrong.name, "64 hex digits")];
    const wanted = signBody(secret, payload);
    return sent.some(({ value }) => equalSecrets(value.toLowerCase(), wanted)) ? [] : [mismatch];
  },

  slack(webhook) {
    const sent = webhook.header("x-slack-signature");
    if (sent === undefined) return [missing("X-Slack-Signature")];
    const time = webhook.header("x-slack-request-timestamp");
    if (time === undefined) return [missing("X-Slack-Request-Timestamp")];
    if (!/^v0=[\da-f]{64}$/i.test(sent)) return [malformed("X-Slack-Signature", "v0=<64 hex digits>")];
    const wanted = signHex(webhook.secret, [`v0:${time}:`, webhook.payload]);
    return [
      ...(equalSecrets(sent.slice(3).toLowerCase(), wanted) ? [] : [mismatch]),
      ...checkTime("X-Slack-Request-Timestamp", time, webhook),
    ];
  },

  // t=<seconds>,v1=<hex>[,v1=<hex>…]: several while the secret is being rolled; other names are other
  // schemes.
  stripe(webhook) {
    const sent = webhook.header("stripe-signature");
    if (sent === undefined) return [missing("Stripe-Signature")];
    const parts = sent.split(",").map((part) => part.trim());
    const times = parts.filter((part) => part.startsWith("t="));
    const signatures = parts.filter((part) => /^v1=[\da-f]{64}$/i.test(part));
    if (times.length !== 1 || signatures.length === 0)
      return [malformed("Stripe-Signature", "t=<seconds>,v1=<64 hex digits>")];
    const time = (times[0] as string).slice(2);
    const wanted = signHex(webhook.secret, [`${time}.`, webhook.payload]);
    const right = signatures.some((one) => equalSecrets(one.slice(3).toLowerCase(), wanted));
    return [...(right ? [] : [mismatch]), ...checkTime("Stripe-Signature", time, webhook)];
  },

  "standard-webhooks"(webhook) {
    // Svix, the origin of the specification, sends the same headers under its own names.
    const prefix =
      webhook.header("webhook-id") === undefined && webhook.header("svix-id") ? "svix" : "webhook";
    const [id, time, sent] = ["id", "timestamp", "signature"].map((name) =>
      webhook.header(`${prefix}-${name}`),
    );
    if (id === undefined) return [missing("webhook-id")];
    if (time === undefined) return [missing("webhook-timestamp")];
    if (sent === undefined) return [missing("webhook-signature")];
    const signatures = readSignatures(sent);
    if (signatures.length === 0)
      return [malformed("webhook-signature", "v1,<base64>, several separated by spaces")];
    const right = signatureOf(webhook.secret, id, time, webhook.payload);
    if (right === undefined)
      return [
        {
          rule: "unusable-secret",
          message: "The secret is not whsec_ followed by base64 of at least one byte.",
        },
      ];
    return [
      ...(signatures.some((one) => equalSecrets(one, right)) ? [] : [mismatch]),
      ...checkTime("webhook-timestamp", time, webhook),
    ];
  },
};

/** A replayed request has a valid signature: only the time reveals it. */
function checkTime(name: string, text: string, { now, toleranceSeconds }: Webhook): WebhookFault[] {
  if (!/^\d{1,12}$/.test(text)) return [malformed(name, "the time in seconds since 1970")];
  const late = Math.round(now - Number(text));
  if (Math.abs(late) <= toleranceSeconds) return [];
  const message = `The time in ${name} is ${Math.abs(late)} s ${late > 0 ? "in the past" : "in the future"}; ${toleranceSeconds} s are tolerated.`;
  return [{ rule: "timestamp-out-of-range", message }];
}

const penknifeHeaders = ["X-Signature", "X-Signature-SHA256", "X-Signature-Previous"] as const;

const mismatch: WebhookFault = {
  rule: "signature-mismatch",
  message: "The signature does not match this payload and secret. Pass the body byte for byte as received.",
};

const missing = (name: string): WebhookFault => ({
  rule: "missing-header",
  message: `The header ${name} is missing.`,
});

const malformed = (name: string, wanted: string): WebhookFault => ({
  rule: "malformed-header",
  message: `The header ${name} is malformed; expected ${wanted}.`,
});

/** Compares texts in a time that reveals neither where they differ nor the length of the right one. */
const equalSecrets = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));
