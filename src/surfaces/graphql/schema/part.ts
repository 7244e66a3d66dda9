import type { GraphQLResolveInfo } from "graphql";
import type { GraphqlContext } from "../context.ts";

// Arguments have been judged by the schema when they get here, and sources are what the resolver above has given.
// oxlint-disable-next-line typescript/no-explicit-any
export type Resolver<Args = any, Source = any> = (
  source: Source,
  args: Args,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => unknown;

/** Of a field of Subscription: `subscribe` gives an AsyncIterable, `resolve` makes the field of each of its values. */
export interface Subscriber {
  subscribe: Resolver;
  resolve: Resolver;
}

/** A piece of the schema. The scalars (DateTime, JSON, Long) and PageInfo are there for all of them: see core.ts. */
export interface Part {
  /** SDL; what it adds to Query, Mutation and Subscription is `extend type Query { … }`. */
  typeDefs: string;
  /**
   * By enum type: what its values are to the resolvers, such as "key.issued" for KEY_ISSUED (`toEnumName`). All of them,
   * so that a value which is new in its list cannot be forgotten in the SDL. Without an entry a value is its name.
   */
  enums?: Readonly<Record<string, readonly string[]>>;
  /** By type and field; a field without one is the property of its name. */
  resolvers: Readonly<Record<string, Readonly<Record<string, Resolver | Subscriber>>>>;
}
