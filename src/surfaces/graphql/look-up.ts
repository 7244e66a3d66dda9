import type { GraphqlContext } from "./context.ts";

/**
 * What one document asks for several times is looked up once: a list reads every record that there is, of all accounts,
 * and dozens of aliases count as a single request. For queries only: a mutation has to see what it has changed.
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
