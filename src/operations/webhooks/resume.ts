import { z } from "zod";
import { id } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { flatEndpoint } from "./options.ts";
import { endpointView, toEndpointView } from "./view.ts";

export const resumeEndpoint = defineOperation({
  name: "webhooks.resume",
  summary: "Resume an endpoint that is paused, or that was disabled after failures.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "endpoint", field: "id" },
  input: z.strictObject({ id }),
  output: endpointView,
  command: { record: flatEndpoint },
  graphql: {
    name: "resumeWebhookEndpoint",
    text: "Resumes an endpoint, even a disabled one: its failures are reset and queued deliveries are due.",
    returns: "WebhookEndpoint",
  },
  run: async (context, args) => toEndpointView(context, await context.outbox.endpoints.resume(args.id)),
});
