import { z } from "zod";
import { defined } from "../../lib/defined.ts";
import { id, when } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { printSecret } from "./options.ts";
import { newSecretView, toNewSecretView } from "./view.ts";

export const rotateSecret = defineOperation({
  name: "webhooks.rotate",
  summary:
    "Give an endpoint a new secret, printed once, alone on standard output. For 24 hours both secrets sign.",
  kind: "changes",
  callers: "owner",
  subject: { kind: "endpoint", field: "id" },
  issues: "endpoint",
  input: z.strictObject({ id, grace: when.optional() }),
  output: newSecretView,
  command: {
    options: {
      grace: { hint: "TIME", text: "How long both secrets sign, such as 7d; 0 ends the old one now" },
    },
    warn: ({ warning }) => warning,
    print: printSecret,
  },
  graphql: {
    name: "rotateWebhookSecret",
    text: "Replaces the secret at once. The new one is in this answer only; the old one also signs for a while.",
    returns: "NewWebhookSecret",
    args: {
      grace: "How long the old secret signs too, such as 2h or 7d; 0 ends it at once. A day by default.",
    },
  },
  run: async (context, args) =>
    toNewSecretView(context, await context.outbox.endpoints.rotate(args.id, defined({ grace: args.grace }))),
});
