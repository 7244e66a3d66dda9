import { describeEvents, type EventDescription } from "../../../services/events/describe.ts";
import { integer, parameterIn, text } from "./forms.ts";
import type { PathItem } from "./types.ts";

/** The webhooks of OpenAPI 3.1: the requests sent to endpoints, by event type. */
export const webhooks = (): Record<string, Pick<PathItem, "post">> =>
  Object.fromEntries(describeEvents().map((event) => [event.type, toWebhook(event)]));

function toWebhook({ type, title, description, schema, example }: EventDescription): Pick<PathItem, "post"> {
  // The schemas use the dialect of the document.
  const { $schema: _dialect, ...rest } = schema;
  return {
    post: {
      operationId: `on${type.split(".").map(capitalize).join("")}`,
      summary: title,
      description: `${description} Sent with POST, or PUT if the endpoint is configured so.`,
      tags: ["events"],
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: { "application/json": { schema: rest, examples: { [type]: { value: example } } } },
      },
      responses: {
        "2XX": {
          description:
            "Received. Other answers are retried or fail the delivery: see the documentation of webhooks.",
        },
        410: { description: "Gone: nothing is sent to this endpoint any more." },
      },
    },
  };
}

const hex = text(undefined, { pattern: "^[0-9a-f]{64}$" });

const headers = (
  [
    ["X-Signature", hex, "HMAC-SHA-256 of the body in hex, with the text of the secret as its key."],
    ["X-Signature-SHA256", hex, "The same."],
    ["X-Event-Id", text(), "The id of the event, the same for every attempt."],
    ["X-Event-Type", text(), "Its type."],
    ["X-Delivery-Id", text(), "The id of the delivery to this endpoint."],
    ["X-Attempt", integer(1), "The number of the attempt."],
    ["webhook-id", text(), "Standard Webhooks: the id of the event."],
    ["webhook-timestamp", { type: "integer" }, "Standard Webhooks: epoch seconds of the attempt."],
    [
      "webhook-signature",
      text(),
      "Standard Webhooks: v1 and base64; several signatures while a secret is rotated.",
    ],
  ] as const
).map(([name, schema, description]) => ({
  ...parameterIn("header", name, description, schema),
  required: true,
}));

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
