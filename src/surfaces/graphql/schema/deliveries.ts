import type { OutputOf } from "../../../operations/index.ts";
import type { DeliveryView } from "../../../services/webhooks/delivery-view.ts";
import type { GraphqlContext } from "../context.ts";
import { accountCreatedAt, isOfPreviousOwner } from "../previous-owner.ts";
import { accountOrAll, callAdmin, findOwn, lookUp, requireSession } from "../scope.ts";
import { given } from "./given.ts";
import { oncePer } from "./once-per.ts";
import { sizeOf } from "./own.ts";
import type { Part } from "./part.ts";

const maxDeliveries = 1000;

const typeDefs = `
extend type Query {
  "Deliveries of events to endpoints, newest first. Requires a settings session."
  deliveries(
    "For the operator: the account; all accounts by default."
    account: ID
    "Only deliveries to this endpoint."
    endpoint: ID
    "Only deliveries of this event."
    event: ID
    type: EventType
    state: DeliveryState
    "Added since: a time such as 2026-11-21T12:00:00Z, or how long ago, such as 24h."
    since: String
    "How many at most: 1 to ${maxDeliveries}."
    first: Int! = 50
    "The id of a delivery: the list continues after it."
    after: ID
  ): [Delivery!]
}

"The delivery of one event to one endpoint."
type Delivery {
  id: ID!
  "The id of the event, the same for every endpoint."
  event: ID!
  "The type of the event."
  type: EventType!
  "The account of the event."
  account: ID!
  "The id of the endpoint."
  endpoint: ID!
  "The status of the delivery."
  state: DeliveryState!
  "Attempts since it was added or last redelivered."
  attempts: Int!
  "When it was added."
  createdAt: DateTime!
  "When the next attempt is due; null unless it waits."
  nextAt: DateTime
  "When it ended; null while it waits."
  endedAt: DateTime
  "Why it failed, as a sentence."
  reason: String
  "The attempts, oldest first, including those before a redelivery. Costs a look-up for each delivery."
  log: [DeliveryAttempt!]
  "The request body, byte for byte. Costs a look-up for each delivery."
  body: String
}

"The status of a delivery."
enum DeliveryState {
  "Waiting for its first or next attempt."
  WAITING
  "Accepted by its receiver."
  DELIVERED
  "Failed, and not retried any more."
  FAILED
}

"One request to an endpoint and its outcome."
type DeliveryAttempt {
  "From 1."
  number: Int!
  "When it began."
  at: DateTime!
  "Milliseconds until the answer or the failure."
  durationMs: Float!
  "The outcome."
  outcome: AttemptOutcome!
  "The HTTP status of the answer, if there was one."
  status: Int
  "The error, such as timeout, connection_refused or address_blocked."
  error: String
  "The first bytes of the answer's body."
  excerpt: String
  "The headers of the request, without its signatures and those of the connection."
  headers: [HttpHeader!]!
}

"The outcome of an attempt."
enum AttemptOutcome {
  "The answer was 2xx."
  OK
  "A failure that may be temporary."
  RETRY
  "A permanent failure."
  REFUSED
}

"An event that was sent to one endpoint."
type TestedEndpoint {
  "The id of the event."
  event: ID!
  "The delivery of the event."
  delivery: Delivery!
  "Whether a server sends it: this one (HERE), perhaps another one (ELSEWHERE), or none (NOWHERE)."
  sending: Sending!
}

"Which process sends queued deliveries."
enum Sending {
  HERE
  ELSEWHERE
  NOWHERE
}

"The redelivered deliveries."
type RecoveredDeliveries {
  "The id of the endpoint."
  endpoint: ID!
  "The number of restarted deliveries."
  redelivered: Int!
  "Whether there are more."
  more: Boolean!
}
`;

/** Deliveries of webhooks. All of it requires a settings session. */
export const deliveries: Part = {
  typeDefs,
  enums: {
    DeliveryState: ["waiting", "delivered", "failed"],
    AttemptOutcome: ["ok", "retry", "refused"],
    Sending: ["here", "elsewhere", "nowhere"],
  },
  resolvers: {
    Query: {
      async deliveries(_, { account, first, ...filters }: ListArgs, context) {
        requireSession(context);
        const whose = accountOrAll(context, account);
        // It must be the caller's: the place of another account's delivery in the list would reveal when it was added.
        if (filters.after != null) await findDelivery(context, filters.after);
        const query = { ...given({ ...filters, account: whose }), limit: sizeOf(first, maxDeliveries) };
        const { items } = await lookUp(context, "webhooks.deliveries", query);
        const beginning = await accountCreatedAt(context);
        return items.filter((view) => !isOfPreviousOwner(view, beginning));
      },
    },
    Delivery: {
      log: async (view: DeliveryView, _args, context) => (await detailOf(view, context)).log,
      body: async (view: DeliveryView, _args, context) => (await detailOf(view, context)).body,
    },
    TestedEndpoint: {
      delivery: ({ delivery }: OutputOf<"webhooks.test">, _args, context) => findDelivery(context, delivery),
    },
  },
};

interface ListArgs {
  account?: string | null;
  endpoint?: string | null;
  event?: string | null;
  type?: string | null;
  state?: DeliveryView["state"] | null;
  since?: string | null;
  after?: string | null;
  first: number;
}

type Detail = OutputOf<"webhooks.delivery">;

const detailOf = oncePer(async (view: DeliveryView, context: GraphqlContext): Promise<Detail> =>
  "log" in view ? (view as Detail) : callAdmin(context, "webhooks.delivery", { id: view.id }),
);

/** @throws ToolError missing_key; forbidden for a key; not_found, also for other accounts' deliveries. */
export async function findDelivery(context: GraphqlContext, id: string): Promise<Detail> {
  requireSession(context);
  const words =
    "There is no delivery with this id, or it is too old to be kept; the field deliveries lists them.";
  return findOwn(context, "webhooks.delivery", id, words);
}
