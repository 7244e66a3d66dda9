import { z } from "zod";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { servingEndpoint } from "./view.ts";

export const testEndpoint = defineOperation({
  name: "webhooks.test",
  summary: "Send a test event to an endpoint.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "endpoint", field: "id" },
  events: ["webhook.test"],
  input: z.strictObject({ id }),
  /** The id of the event, and that of its delivery. */
  output: z.strictObject({
    event: z.string(),
    delivery: z.string(),
    sending: z.enum(["here", "nowhere", "elsewhere"]),
  }),
  graphql: {
    name: "testWebhookEndpoint",
    text: "Sends the event webhook.test to one endpoint, regardless of its event types.",
    returns: "TestedEndpoint",
  },
  byHand: { command: "webhooks test" },
  async run(context, args) {
    const { outbox, sending } = context;
    const { id: endpoint, account } = await servingEndpoint(context, args.id);
    const data = { endpoint, message: "This is a test. Nothing has happened." };
    const { event, deliveries, error } = await outbox.publisher.publish("webhook.test", account, data, {
      only: [endpoint],
      urgent: true,
    });
    if (error !== undefined) throw error;
    const [delivery] = deliveries;
    if (event === undefined || delivery === undefined) throw new TypeError("nothing was published");
    return { event: event.id, delivery: delivery.id, sending };
  },
});
