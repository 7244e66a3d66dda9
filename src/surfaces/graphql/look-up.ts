import type { GraphqlContext } from "./context.ts";

/**
 * Looks up a value once for all fields of a document: a list reads all records of all accounts, and dozens of aliases
 * count as a single request. For queries only, because a mutation must see its own changes.
 */
export function lookUpOnce<T>(
  context: Pick<GraphqlContext, "lookUps">,
  what: readonly unknown[],
  look: () => Promise<T>,
): Promise<T> {
  const known = (context.lookUps ??= new Map<string, Promise<unknown>>());
  const name = JSON.stringify(what);
  const found = known.get(name) ?? look();
  known.set(name, found);
  return found as Promise<T>;
}
