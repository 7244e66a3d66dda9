import type { KeyView, KeyWarning } from "../../../operations/keys/view.ts";
import type { OutputOf } from "../../../operations/index.ts";
import type { KeyState } from "../../../services/access/key-state.ts";
import type { GraphqlContext } from "../context.ts";
import { lookUpOnce } from "../look-up.ts";
import { accountCreatedAt, isOfPreviousOwner } from "../previous-owner.ts";
import { accountOrAll, callAdmin, findOwn, lookUp } from "../scope.ts";
import { given } from "./given.ts";
import { maxFirst, maxSearch, type PageArgs, pageOf, matcherOf } from "./page-of.ts";
import type { Part } from "./part.ts";

/** Keys. Only the first characters of a key are shown, except in the answer that issues it. */
export const keys: Part = {
  typeDefs: `
extend type Query {
  "The account's keys, oldest first; for the operator, all keys by default."
  keys(account: ID, state: KeyState): [Key!]
  "The account's keys, newest first and paged; for the operator, all keys by default."
  keysConnection(
    account: ID
    state: KeyState
    "Only keys with this warning."
    warning: KeyWarning
    "Words that the name or the start must contain, all of them, case-insensitive; or an id. At most ${maxSearch} characters."
    search: String
    "How many at most: 0 to ${maxFirst}."
    first: Int! = 50
    "The endCursor of an earlier page of the same query."
    after: ID
  ): KeyConnection
}

"Whether a key works."
enum KeyState {
  LIVE
  EXPIRED
  REVOKED
}

"What deserves attention in a key that works."
enum KeyWarning {
  "It does not expire."
  NEVER_EXPIRES
  "It was not used for 90 days, in all of which uses were recorded."
  UNUSED
  "It expires within 14 days."
  EXPIRES_SOON
}

"The record of an API key. The key itself is not stored."
type Key {
  id: ID!
  "The account."
  account: ID!
  "The label."
  name: String
  "The first characters, by which its holder recognizes it."
  start: String!
  "Whether it works."
  state: KeyState!
  "When it was issued."
  createdAt: DateTime!
  "When it expires; null if it does not."
  expiresAt: DateTime
  "When it was revoked; null if it was not."
  revokedAt: DateTime
  "The minute of its last use, known to every node within a minute; null if no use was recorded."
  lastUsedAt: DateTime
  "Requests in the last 24 hours, counted from the beginning of an hour; on other nodes at most ten seconds behind."
  requestsLast24h: Long
  "The same hour by hour; empty without use."
  requestsByHour: [Long!]
  "What deserves attention; empty for a key that no longer works, and for one that another has replaced."
  warnings: [KeyWarning!]!
  "The reason given when it was revoked."
  revokeReason: String
  "The key that it replaced."
  rotatedFrom: ID
  "The key that replaced it."
  rotatedTo: ID
}

"A page of keys."
type KeyConnection {
  nodes: [Key!]!
  pageInfo: PageInfo!
  "How many keys the query selects."
  totalCount: Int!
  "Warnings about all live keys of the account, selected or not; each with the number of its keys."
  warnings: [KeyWarningCount!]!
}

"How many keys have a warning."
type KeyWarningCount {
  "The warning."
  warning: KeyWarning!
  "The number of live keys that have it."
  keys: Int!
}

"The only answer that contains the key."
type IssuedKey {
  "The key, shown only once."
  secret: String!
  "The record of the key."
  key: Key
}
`,
  enums: {
    KeyState: ["live", "expired", "revoked"] satisfies KeyState[],
    KeyWarning: ["never_expires", "unused", "expires_soon"] satisfies KeyWarning[],
  },
  resolvers: {
    Query: {
      keys: async (_source, { account, state }: KeysArgs, context) =>
        (await readKeys(context, account)).filter((key) => !state || key.state === state),
      async keysConnection(_source, { account, state, warning, search, ...page }: ConnectionArgs, context) {
        const matches = matcherOf(search);
        const all = (await readKeys(context, account)).toReversed();
        const isSelected = (key: KeyView): boolean =>
          (!state || key.state === state) &&
          (!warning || key.warnings.includes(warning)) &&
          (key.id === search || matches(`${key.name ?? ""} ${key.start}`));
        return { ...pageOf(all, page, ({ id }) => id, isSelected), warnings: countWarnings(all) };
      },
    },
    Key: {
      requestsLast24h: async ({ id }: KeyView, _args, context) =>
        (await requestsByKey(context)).get(id)?.requests ?? 0,
      requestsByHour: async ({ id }: KeyView, _args, context) =>
        (await requestsByKey(context)).get(id)?.hours ?? [],
    },
    IssuedKey: {
      secret: ({ key }: OutputOf<"keys.issue">) => key,
      // Nullable, and read again: if that fails, the secret is still in the answer.
      key: ({ id }: OutputOf<"keys.issue">, _args, context) => callAdmin(context, "keys.show", { id }),
    },
  },
};

interface KeysArgs {
  account?: string | null;
  state?: KeyState | null;
}

interface ConnectionArgs extends KeysArgs, PageArgs {
  warning?: KeyWarning | null;
  search?: string | null;
}

/** The keys of the caller's account, or for the operator of all accounts, oldest first. */
export async function readKeys(
  context: GraphqlContext,
  account: string | null | undefined,
): Promise<KeyView[]> {
  const whose = given({ account: accountOrAll(context, account) });
  const { items } = await lookUp(context, "keys.list", whose);
  const beginning = await accountCreatedAt(context);
  return items.filter((key) => !isOfPreviousOwner(key, beginning));
}

function countWarnings(all: readonly KeyView[]): { warning: KeyWarning; keys: number }[] {
  const counts = new Map<KeyWarning, number>();
  for (const { warnings } of all)
    for (const warning of warnings) counts.set(warning, (counts.get(warning) ?? 0) + 1);
  return Array.from(counts, ([warning, count]) => ({ warning, keys: count }));
}

/** Returns the requests of the last 24 hours by the id of the key; one look-up for all keys of a document. */
const requestsByKey = (
  context: GraphqlContext,
): Promise<ReadonlyMap<string, { requests: number; hours?: number[] | undefined }>> =>
  lookUpOnce(context, ["requestsByKey"], async () => {
    const whose = given({ account: accountOrAll(context) });
    const { items } = await callAdmin(context, "usage.history", { ...whose, by: "key", hourly: true });
    return new Map(items.map(({ key = "", requests, hours }) => [key, { requests, hours }]));
  });

/** @throws ToolError missing_key; not_found. */
export const findKey = (context: GraphqlContext, id: string): Promise<KeyView> =>
  findOwn(context, "keys.show", id, "There is no such key; the field keys lists them.");
