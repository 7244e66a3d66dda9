import { z } from "zod";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { flatEndpoint } from "./options.ts";
import { endpointView, toEndpointView } from "./view.ts";

export const pauseEndpoint = defineOperation({
  name: "webhooks.pause",
  summary: "Pause an endpoint. Its deliveries wait until it is resumed.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "endpoint", field: "id" },
  input: z.strictObject({ id }),
  output: endpointView,
  command: { record: flatEndpoint },
  graphql: {
    name: "pauseWebhookEndpoint",
    text: "Pauses an endpoint. Events are queued meanwhile.",
    returns: "WebhookEndpoint",
  },
  run: async (context, args) => toEndpointView(context, await context.outbox.endpoints.pause(args.id)),
});
