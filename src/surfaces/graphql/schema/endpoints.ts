import { eventTypes } from "../../../services/events/types.ts";
import { disabledReasons, endpointStates } from "../../../storage/records.ts";
import type { EndpointDetailView, EndpointView, NewSecretView } from "../../../services/webhooks/views.ts";
import type { GraphqlContext } from "../context.ts";
import { lazy } from "../../../lib/lazy.ts";
import { accountOf, accountOrAll, callAdmin, findOwn, lookUp, requireSession } from "../scope.ts";
import { typeDefs } from "./endpoints-sdl.ts";
import { given } from "./given.ts";
import { requireSome } from "./own.ts";
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
    Query: {
      async webhookEndpoints(_, { account }: { account?: string | null }, context) {
        requireSession(context);
        const of = given({ account: accountOrAll(context, account) });
        const { items } = await lookUp<{ items: EndpointView[] }>(context, "webhooks.list", of);
        return items.map((view) => toEndpoint(context, view));
      },
      webhookEndpoint: async (_, { id }: OfId, context) =>
        toEndpoint(context, await findEndpoint(context, id)),
    },
    Mutation: {
      async createWebhookEndpoint(_, { input }: { input: CreateInput }, context) {
        requireSession(context);
        requireSome("/events", input.events);
        const changes = { ...given(input), account: accountOf(context, input.account) };
        return callAdmin<NewSecretView>(context, "webhooks.add", changes);
      },
      pauseWebhookEndpoint: change("webhooks.pause"),
      resumeWebhookEndpoint: change("webhooks.resume"),
      deleteWebhookEndpoint: change("webhooks.remove"),
      async rotateWebhookSecret(_, { id, grace }: OfId & { grace?: string | null }, context) {
        await findEndpoint(context, id);
        const changes = { id, ...given({ grace }) };
        return callAdmin<NewSecretView>(context, "webhooks.rotate", changes);
      },
    },
    NewWebhookSecret: {
      // Nullable, and read again with the secret masked: if that fails, the new secret is still in its own field.
      endpoint: async ({ id }: NewSecretView, _args, context) => toEndpoint(context, await show(context, id)),
    },
    WebhookEndpoint: {
      events: ({ events }: Endpoint) => (events.includes("*") ? null : events),
      maskedSecret: ({ secret }: Endpoint) => secret,
      failures: async ({ detail }: Endpoint) => (await detail()).failures,
      failingSince: async ({ detail }: Endpoint) => (await detail()).failingSince,
    },
  },
};

interface OfId {
  id: string;
}

/** The type of `CreateWebhookEndpointInput`. */
interface CreateInput {
  account?: string | null;
  url: string;
  method: "POST" | "PUT";
  events?: string[] | null;
  description?: string | null;
  retryClientErrors: boolean;
}

type Endpoint = EndpointView & { detail(): Promise<EndpointDetailView> };

const show = (context: GraphqlContext, id: string): Promise<EndpointDetailView> =>
  callAdmin<EndpointDetailView>(context, "webhooks.show", { id });

const toEndpoint = (context: GraphqlContext, view: EndpointView): Endpoint => ({
  ...view,
  detail: "failures" in view ? async () => view as EndpointDetailView : lazy(() => show(context, view.id)),
});

/** @throws ToolError missing_key; forbidden for a key; not_found, also for other accounts' endpoints. */
export async function findEndpoint(context: GraphqlContext, id: string): Promise<EndpointDetailView> {
  requireSession(context);
  const words = "There is no endpoint with this id; the field webhookEndpoints lists them.";
  return findOwn<EndpointDetailView>(context, "webhooks.show", id, words);
}

function change(operation: "webhooks.pause" | "webhooks.resume" | "webhooks.remove") {
  return async (_: unknown, { id }: OfId, context: GraphqlContext): Promise<Endpoint> => {
    const before = await findEndpoint(context, id);
    const view = await callAdmin<EndpointView>(context, operation, { id });
    // A removed endpoint keeps its last failure state.
    const { failures, failingSince } = before;
    return toEndpoint(
      context,
      operation === "webhooks.remove" ? ({ ...view, failures, failingSince } as EndpointDetailView) : view,
    );
  };
}
