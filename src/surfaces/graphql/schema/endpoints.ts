import type { OutputOf } from "../../../operations/index.ts";
import type { EndpointView, NewSecretView } from "../../../operations/webhooks/view.ts";
import { eventTypes } from "../../../services/events/types.ts";
import { disabledReasons, endpointStates } from "../../../storage/records.ts";
import type { GraphqlContext } from "../context.ts";
import { callAdmin, findOwn, requireSession } from "../scope.ts";
import { typeDefs } from "./endpoints-sdl.ts";
import { oncePer } from "./once-per.ts";
import type { Part } from "./part.ts";

/**
 * Webhook endpoints. All of it requires a settings session, because an endpoint receives every change of the account.
 */
export const endpoints: Part = {
  typeDefs,
  enums: {
    EventType: eventTypes,
    EndpointState: endpointStates,
    DisabledReason: disabledReasons,
    WebhookMethod: ["POST", "PUT"],
  },
  resolvers: {
    Mutation: {
      async deleteWebhookEndpoint(_, { id }: { id: string }, context) {
        // A removed endpoint keeps its last failure state.
        const { failures, failingSince } = await findEndpoint(context, id);
        return { ...(await callAdmin(context, "webhooks.remove", { id })), failures, failingSince };
      },
    },
    NewWebhookSecret: {
      // Nullable, and read again with the secret masked: if that fails, the new secret is still in its own field.
      endpoint: ({ id }: NewSecretView, _args, context) => callAdmin(context, "webhooks.show", { id }),
    },
    WebhookEndpoint: {
      events: ({ events }: EndpointView) => (events.includes("*") ? null : events),
      maskedSecret: ({ secret }: EndpointView) => secret,
      failures: async (view: EndpointView, _args, context) => (await detailOf(view, context)).failures,
      failingSince: async (view: EndpointView, _args, context) =>
        (await detailOf(view, context)).failingSince,
    },
  },
};

type Detail = OutputOf<"webhooks.show">;

const detailOf = oncePer(async (view: EndpointView, context: GraphqlContext): Promise<Detail> =>
  "failures" in view ? (view as Detail) : callAdmin(context, "webhooks.show", { id: view.id }),
);

/** @throws ToolError missing_key; forbidden for a key; not_found, also for other accounts' endpoints. */
export async function findEndpoint(context: GraphqlContext, id: string): Promise<Detail> {
  requireSession(context);
  const words = "There is no endpoint with this id; the field webhookEndpoints lists them.";
  return findOwn(context, "webhooks.show", id, words);
}
