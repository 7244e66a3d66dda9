import { invalidField } from "../../../catalog/input.ts";
import { refused } from "../../../catalog/refused.ts";
import { mustBeWithin } from "../../../lib/must.ts";
import type { GraphqlContext } from "../context.ts";
import { callAdmin } from "../scope.ts";

/**
 * Requires that an account exists. Only the operator names accounts; others pass their own. @throws ToolError
 * not_found.
 */
export async function requireKnown(context: GraphqlContext, account: string | undefined): Promise<void> {
  if (account !== undefined && context.principal.operator === true)
    await callAdmin(context, "accounts.show", { name: account });
}

/** Returns the given event types; none means all. @throws ToolError invalid_input for an empty list. */
export function requireSome(pointer: string, types: readonly unknown[] | null | undefined): void {
  const name = pointer.slice(1);
  if (types?.length === 0) throw refused(pointer, `Name event types, or omit ${name} for all of them.`);
}

/** Validates a page size. @throws ToolError invalid_input. */
export function sizeOf(first: number, max: number): number {
  if (first >= 1 && first <= max) return first;
  throw invalidField("first", mustBeWithin(1, max, first));
}
