import { z } from "zod";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { flatEndpoint } from "./options.ts";
import { endpointView, toEndpointView } from "./view.ts";

export const removeEndpoint = defineOperation({
  name: "webhooks.remove",
  summary: "Remove an endpoint permanently. Its waiting deliveries fail.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "endpoint", field: "id" },
  input: z.strictObject({ id }),
  output: endpointView,
  command: { record: flatEndpoint },
  byHand: { field: "deleteWebhookEndpoint" },
  run: async (context, args) => toEndpointView(context, await context.outbox.endpoints.remove(args.id)),
});
