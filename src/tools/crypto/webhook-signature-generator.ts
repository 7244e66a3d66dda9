import { z } from "zod";
import { invalidField } from "../../catalog/input.ts";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { schemesWithId, secretNeeds, signWebhook } from "../../lib/webhook/generate.ts";
import { providers } from "../../lib/webhook/verify.ts";
import { toBytes } from "../bytes.ts";
import { now, nowOf } from "../now.ts";
import { signingSecret } from "../webhook-secret.ts";

const input = z.object({
  data: z.string().describe("The body of the request, byte for byte as it will be sent"),
  provider: z
    .enum(providers)
    .describe("Whose webhook it is to be; standard-webhooks is Svix and all who follow it"),
  secret: signingSecret,
  id: z
    .string()
    .max(256)
    .regex(/^[!-~]+$/, "Must be printable ASCII without spaces.")
    .optional()
    .describe(
      "Of penknife and standard-webhooks: the id of the message; follows from data and now unless given",
    ),
  format: z
    .enum(["lines", "json"])
    .default("lines")
    .describe("lines are headers as curl -H @FILE reads them, json is what webhook-signature-verifier reads"),
  now,
});

export default defineTool({
  slug: "webhook-signature-generator",
  title: "Webhook signature generator",
  summary: "Sign a webhook as GitHub, GitLab, Slack, Stripe, Standard Webhooks or penknife does.",
  input,
  deterministic: false,
  examples: [
    {
      input: { data: "Hello, World!", provider: "github", secret: "It's a Secret to Everybody" },
      result: "X-Hub-Signature-256: sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    },
    {
      title: "At another time, for the verifier",
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
  if (time < 0) throw invalidField("now", "A webhook cannot tell a time before 1970.");
  const headers = signWebhook(provider, { payload, secret, time, ...(id !== undefined && { id }) });
  if (headers === undefined) throw invalidField("secret", secretNeeds[provider] ?? "");
  if (format === "json") return JSON.stringify(Object.fromEntries(headers), null, 2);
  return headers.map(([name, value]) => `${name}: ${value}`).join("\n");
}
