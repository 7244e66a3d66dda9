import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { label, name } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { printSecret } from "./options.ts";
import { newSecretView, toNewSecretView } from "./view.ts";

export const addEndpoint = defineOperation({
  name: "webhooks.add",
  summary: "Add an endpoint. Its secret is printed once, alone on standard output.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "owner", field: "account" },
  issues: "endpoint",
  input: z.strictObject({
    account: name,
    url: z.string().max(4096),
    method: z.enum(["POST", "PUT"]).optional(),
    events: z.array(z.string().max(64)).max(64).optional(),
    description: label.optional(),
    retryClientErrors: z.boolean().optional(),
  }),
  output: newSecretView,
  command: {
    options: {
      url: { text: "The URL to send to: http:// or https://", positional: true },
      account: { hint: "NAME", text: "The account whose events are sent" },
      events: {
        hint: "TYPES",
        text: "Event types separated by commas, such as key.expiring,limit.reached (default all)",
        must: "types separated by commas, such as key.issued,key.revoked",
      },
      method: { flag: "put", text: "Send with PUT instead of POST", stands: "PUT" },
      retryClientErrors: { text: "Retry after a 4xx response, which otherwise ends a delivery" },
      description: { hint: "TEXT", text: "A note about the endpoint" },
    },
    warn: ({ warning }) => warning,
    print: printSecret,
  },
  graphql: {
    name: "createWebhookEndpoint",
    text: "Creates an endpoint, to which events of the account are sent from now on. The secret is in this answer only.",
    returns: "NewWebhookSecret",
    input: {
      type: "CreateWebhookEndpointInput",
      text: "A new endpoint.",
      fields: {
        account: "The caller's account by default; required for the operator.",
        url: "https://, or http:// on a trusted network. Private addresses are refused unless the operator allows them.",
        method: { text: "How events are sent.", type: "WebhookMethod!", initial: "POST" },
        events: {
          text: "All types by default, including those of later releases.",
          type: "[EventType!]",
        },
        description: "A note for people.",
        retryClientErrors: "Whether an answer of 4xx is retried instead of ending the delivery.",
      },
    },
  },
  run: async (context, args, { owner: caller }) =>
    toNewSecretView(context, await context.outbox.endpoints.add(defined({ ...args, caller }))),
});
