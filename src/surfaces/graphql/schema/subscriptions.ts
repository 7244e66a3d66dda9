import type { UsageView } from "../../../operations/usage/view.ts";
import { unknownCaller } from "../../../services/audit/caller.ts";
import type { EventBody, EventType } from "../../../services/events/types.ts";
import type { LiveTopics } from "../../../services/events/live/live.ts";
import type { DeliveryView } from "../../../services/webhooks/delivery-view.ts";
import type { GraphqlContext } from "../context.ts";
import type { GraphqlDeps } from "../deps.ts";
import { createFeed } from "../feed.ts";
import { followInbox } from "../follow-inbox.ts";
import { accountOrAll, requireSession } from "../scope.ts";
import { createUsageTicks, type UsageTicks } from "../usage-ticks.ts";
import { findEndpoint } from "./endpoints.ts";
import { findInbox, messageId } from "./inboxes.ts";
import { requireKnown, requireSome } from "./own.ts";
import type { Part } from "./part.ts";

const typeDefs = `
extend type Subscription {
  "Events of accounts on any node, from now on. Events missed while disconnected are not sent later; webhook endpoints receive all of them."
  events(
    "For the operator: the account; all accounts by default."
    account: ID
    "All types by default."
    types: [EventType!]
  ): Event!

  "Quota usage: the current one, then every change, at most twice a second."
  usage(
    "For the operator: the account; all accounts by default."
    account: ID
  ): UsageNow!

  "Deliveries as they are added, attempted, redelivered or ended, from now on. Requires a settings session."
  deliveries(
    "For the operator: the account; all accounts by default."
    account: ID
    "Only deliveries to this endpoint."
    endpoint: ID
  ): Delivery!

  "Messages that an inbox receives. After a reconnect, pass the id of the last message to receive the missed ones."
  inboxEvents(
    id: ID!
    "The id of a message to start after; by default only new messages."
    after: ID
  ): InboxMessage!
}

"An event, as endpoints receive it."
type Event {
  "The id, the same over webhooks and subscriptions."
  id: ID!
  "The event type."
  type: EventType!
  "When it happened."
  timestamp: DateTime!
  "The account of the event."
  account: ID!
  "GET /api/events has the schema of each type."
  data: JSON!
}

"The current quota window of an account."
type UsageNow {
  "The account."
  account: ID!
  "The plan of the account."
  plan: Plan!
  "Requests an hour."
  limit: Long!
  "Requests counted in this hour."
  used: Long!
  "Requests left."
  remaining: Long!
  "When the window ends; null if no request was counted."
  resetAt: DateTime
}
`;

/** Subscriptions. Each ends as soon as its reader leaves or is too slow: see feed.ts. */
export const subscriptions: Part = {
  typeDefs,
  resolvers: {
    Subscription: {
      events: {
        async subscribe(
          _,
          { account, types }: { account?: string | null; types?: EventType[] | null },
          context,
        ) {
          const whose = accountOrAll(context, account);
          requireSome("/types", types);
          await requireKnown(context, whose);
          return listen(context, "event", whose, ({ type }) => types?.includes(type) ?? true);
        },
        resolve: (event: EventBody) => event,
      },
      usage: {
        async subscribe(_, { account }: { account?: string | null }, context) {
          const whose = accountOrAll(context, account);
          await requireKnown(context, whose);
          return createFeed<UsageView>({
            signal: context.signal,
            begin: (source) => ticksOf(context.deps).watch(whose, source),
          });
        },
        resolve: (view: UsageView) => view,
      },
      deliveries: {
        async subscribe(
          _,
          { account, endpoint }: { account?: string | null; endpoint?: string | null },
          context,
        ) {
          requireSession(context);
          const whose = accountOrAll(context, account);
          await requireKnown(context, whose);
          if (endpoint != null) await findEndpoint(context, endpoint);
          return listen(context, "delivery", whose, (view) => endpoint == null || view.endpoint === endpoint);
        },
        resolve: (view: DeliveryView) => view,
      },
      inboxEvents: {
        async subscribe(_, { id, after }: { id: string; after?: string | null }, context) {
          const from = after == null ? undefined : messageId(after);
          const { service, record } = await findInbox(context, id);
          return followInbox({ service, inbox: record.id, after: from, signal: context.signal });
        },
        resolve: (message: unknown) => message,
      },
    },
  },
};

/** Resolves when events of other nodes are received too. */
async function listen<Topic extends keyof LiveTopics>(
  { deps, signal }: GraphqlContext,
  topic: Topic,
  account: string | undefined,
  wanted: (value: LiveTopics[Topic]) => boolean,
): Promise<AsyncGenerator<LiveTopics[Topic], void, undefined>> {
  const live = await deps.live();
  const feed = createFeed<LiveTopics[Topic]>({
    signal,
    begin: ({ push }) => live.listen(topic, account, (value) => void (wanted(value) && push(value))),
  });
  await live.ready();
  return feed;
}

/** One poll a second for all subscribers of an account, whichever operation they came with. */
const ticks = new WeakMap<GraphqlDeps["admin"], UsageTicks>();

function ticksOf({ admin, runtime }: GraphqlDeps): UsageTicks {
  const known = ticks.get(admin);
  if (known !== undefined) return known;
  const made = createUsageTicks({
    runtime,
    async look(account) {
      const query = account === undefined ? {} : { account };
      return (await admin()).call("usage", query, unknownCaller);
    },
  });
  ticks.set(admin, made);
  return made;
}
