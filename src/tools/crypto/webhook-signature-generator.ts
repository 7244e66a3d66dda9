import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { schemesWithId, secretNeeds, signWebhook } from "../../lib/webhook/generate.ts";
import { providers } from "../../lib/webhook/verify.ts";
import { toBytes } from "../bytes.ts";
import { now, nowOf } from "../now.ts";
import { signingSecret } from "../webhook-secret.ts";

const input = z.object({
  data: z.string().describe("The body of the request, exactly as it will be sent"),
  provider: z
    .enum(providers)
    .describe(
      "Provider whose signature scheme is used; standard-webhooks covers Svix and other implementations of the standard",
    ),
  secret: signingSecret,
  id: z
    .string()
    .max(256)
    .regex(/^[!-~]+$/, "Must be printable ASCII without spaces.")
    .optional()
    .describe("Message id, for penknife and standard-webhooks only; by default derived from data and now"),
  format: z
    .enum(["lines", "json"])
    .default("lines")
    .describe(
      "Output format: lines (headers for curl -H @FILE) or json (the headers field of webhook-signature-verifier)",
    ),
  now,
});

export default defineTool({
  slug: "webhook-signature-generator",
  title: "Webhook signature generator",
  summary: "Sign a webhook as GitHub, GitLab, Slack, Stripe, Standard Webhooks or penknife does.",
  page: {
    title: "Webhook signer",
    tile: "GitHub, Stripe, Slack and others",
    view: "props",
    options: ["provider", "secret"],
    labels: { data: "Body" },
    start: { provider: "github" },
  },
  accepts: "the raw body of the webhook",
  aliases:
    "sign webhook, webhook sender, x-hub-signature-256, stripe-signature header, svix, slack signature, fake webhook, test webhook, webhook hmac, simulate webhook",
  input,
  deterministic: false,
  examples: [
    {
      input: { data: "Hello, World!", provider: "github", secret: "It's a Secret to Everybody" },
      result: "X-Hub-Signature-256: sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    },
    {
      title: "At a given time, as JSON for the verifier",
      input: {
        data: '{"test": 2432232314}',
        provider: "standard-webhooks",
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        format: "json",
        now: "2021-02-25T15:02:10Z",
      },
      result:
        '{\n  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",\n  "webhook-timestamp": "1614265330",\n  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="\n}',
    },
  ],
  run: ({ data, ...options }, context) => sign(toBytes(data, "utf8"), options, context),
  runBytes: sign,
});

function sign(
  payload: Uint8Array,
  options: Omit<z.output<typeof input>, "data">,
  context: ToolContext,
): string {
  const { provider, secret, id, format } = options;
  if (!secret.isWellFormed())
    throw invalidField("secret", "Half of a surrogate pair stands alone in it, which has no UTF-8.");
  if (id !== undefined && !schemesWithId.has(provider))
    throw invalidField("id", "Only webhooks of penknife and standard-webhooks have one.");
  const time = Math.floor(nowOf(options, context) / 1000);
  if (time < 0) throw invalidField("now", "A webhook cannot represent a time before 1970.");
  const headers = signWebhook(provider, { payload, secret, time, ...(id !== undefined && { id }) });
  if (headers === undefined) throw invalidField("secret", secretNeeds[provider] ?? "");
  if (format === "json") return JSON.stringify(Object.fromEntries(headers), null, 2);
  return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}
