import type { Plan } from "../../../catalog/principal.ts";
import type { AccountView, ListView, UsageView } from "../../../services/admin/admin.ts";
import { plans } from "../../../storage/records.ts";
import type { GraphqlContext } from "../context.ts";
import { accountOf, callAdmin, lookUp, requireOperator } from "../scope.ts";
import { given } from "./given.ts";
import { matcherOf, maxFirst, maxSearch, type PageArgs, pageOf } from "./page-of.ts";
import type { Part, Resolver } from "./part.ts";

/** Accounts: an account sees itself, the operator sees all. */
export const accounts: Part = {
  typeDefs: `
extend type Query {
  "For the operator: all accounts, by name."
  accounts: [Account!]
  "The caller's account; the operator names one."
  account(name: ID): Account
  "For the operator: accounts by name, paged."
  accountsConnection(
    "Words that the name or the plan must contain, all of them, case-insensitive; at most ${maxSearch} characters."
    search: String
    "How many at most: 0 to ${maxFirst}."
    first: Int! = 50
    "The endCursor of an earlier page of the same query."
    after: ID
  ): AccountConnection
}

extend type Mutation {
  "For the operator."
  createAccount(input: CreateAccountInput!): Account
  "For the operator. Omitted fields stay unchanged; a plan other than TEAM removes the limit."
  updateAccount(name: ID!, input: UpdateAccountInput!): Account
  "For the operator. Keys and sessions of the account are refused until it is enabled again."
  disableAccount(name: ID!): Account
  "For the operator."
  enableAccount(name: ID!): Account
  "For the operator. Returns the account as it was."
  deleteAccount(
    name: ID!
    "Revokes live keys; without this, an account with live keys is not deleted."
    revokeKeys: Boolean! = false
  ): Account
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
}

"A page of accounts."
type AccountConnection {
  nodes: [Account!]!
  pageInfo: PageInfo!
  "How many accounts the query selects."
  totalCount: Int!
}

"A new account."
input CreateAccountInput {
  "1 to 63 lower-case letters, digits and hyphens; it cannot be changed."
  name: ID!
  "The plan."
  plan: Plan!
  "Requests an hour of a team account, at least 10,000."
  limit: Long
}

"The changes."
input UpdateAccountInput {
  "The new plan."
  plan: Plan
  "Requests an hour of a team account, at least 10,000."
  limit: Long
  "Allows a change to FREE, which has no keys, to revoke the existing ones."
  revokeKeys: Boolean! = false
}
`,
  enums: { Plan: plans },
  resolvers: {
    Query: {
      async accounts(_source, _args, context) {
        requireOperator(context);
        return (await lookUp<ListView<AccountView>>(context, "accounts.list", {})).items;
      },
      async accountsConnection(_source, { search, ...page }: ConnectionArgs, context) {
        requireOperator(context);
        const matches = matcherOf(search);
        const { items } = await lookUp<ListView<AccountView>>(context, "accounts.list", {});
        return pageOf(
          items,
          page,
          ({ name }) => name,
          ({ name, plan }) => matches(`${name} ${plan}`),
        );
      },
      account: (_source, { name }: { name?: string | null }, context) =>
        callAdmin<AccountView>(context, "accounts.show", { name: accountOf(context, name) }),
    },
    Mutation: {
      createAccount: asOperator(({ input }: { input: Changes & { name: string; plan: Plan } }, context) =>
        callAdmin(context, "accounts.create", given(input)),
      ),
      updateAccount: asOperator(
        ({ name, input }: { name: string; input: Changes & { revokeKeys: boolean } }, context) =>
          callAdmin(context, "accounts.set", { name, ...given(input) }),
      ),
      disableAccount: asOperator((args: { name: string }, context) =>
        callAdmin(context, "accounts.disable", args),
      ),
      enableAccount: asOperator((args: { name: string }, context) =>
        callAdmin(context, "accounts.enable", args),
      ),
      deleteAccount: asOperator((args: { name: string; revokeKeys: boolean }, context) =>
        callAdmin(context, "accounts.delete", args),
      ),
      resetLimits: asOperator(async ({ account }: { account: string }, context) => {
        await callAdmin(context, "limits.reset", { account });
        return callAdmin(context, "accounts.show", { name: account });
      }),
    },
    Account: {
      async quota({ name }: AccountView, _args, context) {
        const { items } = await callAdmin<ListView<UsageView>>(context, "usage", { account: name });
        return items[0];
      },
    },
  },
};

interface ConnectionArgs extends PageArgs {
  search?: string | null;
}

interface Changes {
  plan?: Plan | null;
  limit?: number | null;
}

function asOperator<Args>(work: (args: Args, context: GraphqlContext) => unknown): Resolver<Args> {
  return (_source, args, context) => {
    requireOperator(context);
    return work({ ...args }, context);
  };
}
