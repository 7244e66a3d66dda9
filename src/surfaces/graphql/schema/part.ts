import type { GraphQLResolveInfo } from "graphql";
import type { GraphqlContext } from "../context.ts";

// The schema has validated arguments, and sources come from the resolver above.
// oxlint-disable-next-line typescript/no-explicit-any
export type Resolver<Args = any, Source = any> = (
  source: Source,
  args: Args,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => unknown;

/** Resolver of a Subscription field: `subscribe` returns an AsyncIterable, `resolve` maps each of its values. */
export interface Subscriber {
  subscribe: Resolver;
  resolve: Resolver;
}

/** A part of the schema. The scalars DateTime, JSON and Long, and PageInfo, are available to all parts (core.ts). */
export interface Part {
  /** SDL; fields of Query, Mutation and Subscription are added with `extend type Query { … }`. */
  typeDefs: string;
  /**
   * Internal values by enum type, such as "key.issued" for KEY_ISSUED (`toEnumName`). They must be complete, so that a
   * new value cannot be forgotten in the SDL. Without an entry, a value equals its name.
   */
  enums?: Readonly<Record<string, readonly string[]>>;
  /** Resolvers by type and field; a field without one resolves to the property of its name. */
  resolvers: Readonly<Record<string, Readonly<Record<string, Resolver | Subscriber>>>>;
}
