import { createHash } from "node:crypto";
import { signBody, signHex } from "./sign.ts";
import { signatureOf } from "./standard-webhooks.ts";
import type { providers } from "./verify.ts";

export interface UnsignedWebhook {
  payload: Uint8Array;
  secret: string;
  /** Message id, for the schemes that sign one; derived from the payload and the time by default. */
  id?: string;
  /** Whole epoch seconds. */
  time: number;
}

type Unsigned = Required<UnsignedWebhook>;

type Headers = [name: string, value: string][];

type Scheme = (typeof providers)[number];

/** Returns the headers that authenticate a webhook, or undefined if the secret is invalid for the scheme. */
export const signWebhook = (scheme: Scheme, webhook: UnsignedWebhook): Headers | undefined =>
  signers[scheme]({ ...webhook, id: webhook.id ?? (schemesWithId.has(scheme) ? toId(webhook) : "") });

/** Schemes that sign a message id. */
export const schemesWithId: ReadonlySet<string> = new Set(["penknife", "standard-webhooks"]);

/** Requirements for a secret, in schemes that restrict it. */
export const secretNeeds: Partial<Record<Scheme, string>> = {
  gitlab: "The token must be valid as a header: ASCII characters, without a space at either end.",
  "standard-webhooks": "Expected whsec_ followed by base64 of at least one byte.",
};

const signers = {
  github: ({ secret, payload }: Unsigned): Headers => [
    ["X-Hub-Signature-256", `sha256=${signBody(secret, payload)}`],
  ],

  // The token becomes the value of a header: a line end in it would begin another header (RFC 9110 §5.5).
  gitlab: ({ secret }: Unsigned): Headers | undefined =>
    /^[!-~](?:[ -~]*[!-~])?$/.test(secret) ? [["X-Gitlab-Token", secret]] : undefined,

  // Adds the headers of Standard Webhooks if the secret suits them, as all of penknife's own do.
  penknife(webhook: Unsigned): Headers {
    const signature = signBody(webhook.secret, webhook.payload);
    return [
      ["X-Signature", signature],
      ["X-Signature-SHA256", signature],
      ["X-Event-Id", webhook.id],
      ...(signers["standard-webhooks"](webhook) ?? []),
    ];
  },

  slack: ({ secret, payload, time }: Unsigned): Headers => [
    ["X-Slack-Request-Timestamp", String(time)],
    ["X-Slack-Signature", `v0=${signHex(secret, [`v0:${time}:`, payload])}`],
  ],

  "standard-webhooks"({ secret, payload, id, time }: Unsigned): Headers | undefined {
    const signature = signatureOf(secret, id, String(time), payload);
    if (signature === undefined) return undefined;
    return [
      ["webhook-id", id],
      ["webhook-timestamp", String(time)],
      ["webhook-signature", `v1,${signature}`],
    ];
  },

  stripe: ({ secret, payload, time }: Unsigned): Headers => [
    ["Stripe-Signature", `t=${time},v1=${signHex(secret, [`${time}.`, payload])}`],
  ],
} satisfies Record<Scheme, (webhook: Unsigned) => Headers | undefined>;

const toId = ({ payload, time }: UnsignedWebhook): string =>
  `msg_${createHash("sha256").update(`${time}.`).update(payload).digest("hex").slice(0, 32)}`;
