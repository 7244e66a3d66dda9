import type { AccountView } from "../../../operations/accounts/view.ts";
import { isAccountName, plans } from "../../../storage/records.ts";
import type { GraphqlContext } from "../context.ts";
import { callAdmin, lookUp, requireOperator } from "../scope.ts";
import { readKeys } from "./keys.ts";
import {
  matcherOf,
  maxFirst,
  maxSearch,
  notACursor,
  type Page,
  type PageArgs,
  pageOf,
  requireFirst,
} from "./page-of.ts";
import type { Part } from "./part.ts";

/** Accounts: an account sees itself, the operator sees all. Most fields follow from the operations (`derived.ts`). */
export const accounts: Part = {
  typeDefs: `
extend type Query {
  "For the operator: accounts by name, paged."
  accountsConnection(
    "Words that the name or the plan must contain, all of them, case-insensitive; at most ${maxSearch} characters."
    search: String
    "Only accounts of this plan."
    plan: Plan
    "How many at most: 0 to ${maxFirst}."
    first: Int! = 50
    "The endCursor of an earlier page of the same query."
    after: ID
  ): AccountConnection
}

extend type Mutation {
  "For the operator. Resets the account's quota for this hour."
  resetLimits(account: ID!): Account
}

"The plan of an account, which determines its quota."
enum Plan {
  "100 requests an hour for each address; no keys."
  FREE
  "1,000 requests an hour."
  PRO
  "10,000 requests an hour, or more."
  TEAM
}

"The owner of keys, endpoints and inboxes. All keys of an account share its quota."
type Account {
  "The name, which is also the id."
  name: ID!
  "The plan."
  plan: Plan!
  "Requests an hour: the account's own limit, or that of its plan."
  limit: Long!
  "Whether the account is disabled: its keys and sessions are refused."
  disabled: Boolean!
  "When it was created."
  createdAt: DateTime!
  "Requests counted in this hour."
  quota: Quota
  "How many keys work."
  liveKeys: Int
  "For the operator: who is signed in to the account, by name, each once. Whoever signed in with a code has no name."
  people: [String!]
}

"A page of accounts."
type AccountConnection {
  nodes: [Account!]!
  pageInfo: PageInfo!
  "How many accounts the query selects."
  totalCount: Int!
}
`,
  enums: { Plan: plans },
  resolvers: {
    Query: {
      async accountsConnection(_source, { search, plan: wanted, ...page }: ConnectionArgs, context) {
        requireOperator(context);
        if ((search ?? "").trim() === "" && !wanted) return pageOfAll(page, context);
        const matches = matcherOf(search);
        const { items } = await lookUp(context, "accounts.list", {});
        return pageOf(
          items,
          page,
          ({ name }) => name,
          ({ name, plan }) => (!wanted || plan === wanted) && matches(`${name} ${plan}`),
        );
      },
    },
    Mutation: {
      async resetLimits(_source, { account }: { account: string }, context) {
        requireOperator(context);
        await callAdmin(context, "limits.reset", { account });
        return callAdmin(context, "accounts.show", { name: account });
      },
    },
    Account: {
      async quota({ name }: AccountView, _args, context) {
        const { items } = await callAdmin(context, "usage", { account: name });
        return items[0];
      },
      liveKeys: async ({ name }: AccountView, _args, context) =>
        (await readKeys(context, name)).filter(({ state }) => state === "live").length,
      async people({ name }: AccountView, _args, context) {
        requireOperator(context);
        const { items } = await lookUp(context, "sessions.list", { account: name });
        const names = items.flatMap(({ state, person }) =>
          state === "live" && person !== undefined ? [person.name ?? person.subject] : [],
        );
        return [...new Set(names)];
      },
    },
  },
};

/** Without a search or a plan, only the accounts of the page are read. */
async function pageOfAll({ first, after }: PageArgs, context: GraphqlContext): Promise<Page<AccountView>> {
  requireFirst(first);
  if (after != null && !isAccountName(after)) throw notACursor();
  const { items, next, total } = await lookUp(context, "accounts.page", {
    first,
    ...(after != null && { after }),
  });
  const endCursor = next || (items.at(-1)?.name ?? null);
  return { nodes: items, pageInfo: { hasNextPage: next !== null, endCursor }, totalCount: total };
}

interface ConnectionArgs extends PageArgs {
  search?: string | null;
  plan?: AccountView["plan"] | null;
}
