import { z } from "zod";
import { toReport } from "../../catalog/report.ts";
import { defineTool, type ToolContext } from "../../catalog/tool.ts";
import { providers, verifyWebhook } from "../../lib/webhook/verify.ts";
import { toBytes } from "../bytes.ts";
import { toHeaders } from "../headers.ts";
import { now, nowOf } from "../now.ts";
import { signingSecret } from "../webhook-secret.ts";
import { findingOf } from "../findings.ts";

const input = z.object({
  data: z.string().describe("The body of the request, exactly as received"),
  provider: z.enum(providers).describe("Provider of the webhook; standard-webhooks includes Svix"),
  secret: signingSecret,
  headers: z
    .string()
    .max(65_536)
    .meta({ json: "object" })
    .describe("The headers: a JSON object of names (case-insensitive) and values, or one header a line"),
  toleranceSeconds: z.int().min(0).max(31_536_000).default(300).describe("Largest age of a signed time"),
  now,
});

export default defineTool({
  slug: "webhook-signature-verifier",
  title: "Webhook signature verifier",
  version: "1.1.0",
  summary: "Verify a webhook signature of GitHub, GitLab, Slack, Stripe, Standard Webhooks or penknife.",
  page: {
    title: "Webhook verifier",
    tile: "Is the signature genuine?",
    layout: "compare",
    view: "verdict",
    options: ["provider", "secret", "toleranceSeconds"],
    second: "headers",
    labels: { data: "Body", headers: "Headers", toleranceSeconds: "Oldest (seconds)" },
    start: { provider: "github" },
  },
  accepts: "the raw body of the webhook",
  aliases:
    "verify webhook, check webhook signature, x-hub-signature-256, stripe-signature, stripe webhook secret, github webhook, gitlab token, slack signing secret, svix, standard webhooks, whsec, webhook signature mismatch, validate webhook payload",
  input,
  deterministic: false,
  check: "report",
  examples: [
    {
      input: {
        data: "Hello, World!",
        provider: "github",
        secret: "It's a Secret to Everybody",
        headers:
          '{"X-Hub-Signature-256":"sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"}',
      },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
    {
      title: "Genuine, but replayed an hour later",
      input: {
        data: '{"id":1}',
        provider: "stripe",
        secret: "whsec_test",
        headers:
          '{"stripe-signature":"t=1767323045,v1=175a3924bb05d854d9175604b1cc7e3f579f58896e1572972156ef8c26d0d68a"}',
        now: "2026-01-02T04:04:05Z",
      },
      result:
        '{\n  "valid": false,\n  "errors": [\n    {\n      "message": "The time in Stripe-Signature is 3600 s in the past; 300 s are tolerated.",\n      "severity": "error",\n      "rule": "timestamp-out-of-range",\n      "line": 1,\n      "column": 1,\n      "offset": 0,\n      "pointer": ""\n    }\n  ]\n}',
    },
    {
      title: "An event of penknife, which signs the body only, so that no time is checked",
      input: {
        data: '{"id":"evt_01","type":"webhook.test"}',
        provider: "penknife",
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        headers: '{"X-Signature":"444717b95f74df7c684ecd960a16ed866fca587b1531c46623f099dbf8e27b57"}',
      },
      result: '{\n  "valid": true,\n  "errors": []\n}',
    },
  ],
  run: ({ data, ...options }, context) => verify(toBytes(data, "utf8"), options, context),
  runBytes: verify,
});

function verify(payload: Uint8Array, given: Omit<z.output<typeof input>, "data">, context: ToolContext) {
  const headers = toHeaders(given.headers);
  const header = (name: string): string | undefined => headers.get(name);
  const webhook = { ...given, payload, header, now: nowOf(given, context) / 1000 };
  return toReport(verifyWebhook(given.provider, webhook).map((one) => findingOf(one.rule, one.message)));
}
