import { ToolError } from "../../catalog/errors.ts";
import { type InputOf, loadOperation, type OperationName, type OutputOf } from "../../operations/index.ts";
import type { Operation } from "../../operations/operation.ts";
import { toCaller } from "../../services/audit/caller.ts";
import { refused } from "../../catalog/refused.ts";
import { gone } from "../http/body.ts";
import type { GraphqlContext } from "./context.ts";
import { accountCreatedAt, type Dated, isOfPreviousOwner } from "./previous-owner.ts";
import { lookUpOnce } from "./look-up.ts";

// Authorization. Anonymous callers run tools and sign in. A key reads its account's data, a session of an account also
// changes it, and a session of the operator does both for every account.

type Who = Pick<GraphqlContext, "principal">;

/**
 * Returns the account whose data is requested: the caller's own, or for the operator the named one; undefined means
 * all.
 * @throws ToolError missing_key; forbidden for another account.
 */
export function accountOrAll({ principal }: Who, named?: string | null): string | undefined {
  const { kind, account, operator } = principal;
  if (operator === true) return named ?? undefined;
  if (account === undefined || (kind !== "key" && kind !== "session")) throw needsCredential();
  if (named === undefined || named === null || named === account) return account;
  throw new ToolError(
    "forbidden",
    `This ${kind} belongs to the account ${account} and has no access to others. Leave account out.`,
  );
}

/**
 * Like `accountOrAll`, for exactly one account, which the operator must name. @throws ToolError, invalid_input for the
 * operator.
 */
export function accountOf(who: Who, named?: string | null): string {
  const account = accountOrAll(who, named);
  if (account !== undefined) return account;
  throw refused("/account", "Name the account: a session of the operator has none.");
}

/** Requires any caller but an anonymous one. @throws ToolError missing_key. */
export function requireAccount(who: Who): void {
  accountOrAll(who);
}

/** Requires a session of an account or of the operator. @throws ToolError missing_key; forbidden for a key. */
export function requireSession({ principal: { kind, account } }: Who): void {
  if (kind === "session") return;
  if (kind !== "key")
    throw new ToolError(
      "missing_key",
      "Only a settings session can do this: penknife admin login --account NAME prints a code for signIn.",
    );
  throw new ToolError(
    "forbidden",
    `A key cannot do this, only a settings session: penknife admin login --account ${account} prints a code for signIn.`,
  );
}

/** Requires the operator. @throws ToolError missing_key; forbidden for anyone else. */
export function requireOperator({ principal: { kind, operator } }: Who): void {
  if (operator === true) return;
  throw new ToolError(
    kind === "anonymous" ? "missing_key" : "forbidden",
    "Only a settings session of the operator can do this: penknife admin login prints a code for signIn.",
  );
}

/**
 * Reports whether the caller may see data of an account that was requested by id. Data of other accounts is reported as not
 * found.
 * @throws ToolError missing_key.
 */
export function isOwn(who: Who, account: string | null | undefined): boolean {
  const own = accountOrAll(who);
  return own === undefined || own === account;
}

/** Milliseconds after a sign-in for which it suffices for acts that reach far. */
const recentMs = 600_000;

/**
 * Requires a sign-in within the last ten minutes, so that a page that was left open cannot be misused for such an act.
 * @throws ToolError forbidden.
 */
export function requireRecent({ principal, deps }: Pick<GraphqlContext, "principal" | "deps">): void {
  if (deps.runtime.now() - (principal.signedInAt ?? 0) <= recentMs) return;
  const how = principal.person === undefined ? ", with another code that penknife admin login prints" : "";
  throw new ToolError("forbidden", `This needs a sign-in within the last ten minutes. Sign in again${how}.`);
}

/**
 * Performs an administrative operation in the caller's name. The caller must have been authorized. The operator has to have
 * signed in recently for everything that changes something, except for ending sessions.
 */
export async function callAdmin<Name extends OperationName>(
  context: GraphqlContext,
  name: Name,
  args: InputOf<Name>,
): Promise<OutputOf<Name>> {
  return (await performAdmin(context, await loadOperation(name), args)) as OutputOf<Name>;
}

/** Like `callAdmin`, for an operation that need not be listed. */
export async function performAdmin(
  context: GraphqlContext,
  { name, kind, subject }: Operation,
  args: object,
): Promise<unknown> {
  // A list looks up each of its entries, one after another.
  if (context.gone) throw gone;
  const endsSessions = kind === "closes" && (subject?.kind === "session" || subject?.kind === "person");
  if (context.principal.operator === true && kind !== "reads" && !endsSessions) requireRecent(context);
  return (await context.deps.admin()).perform(name, args, toCaller(context.principal, context.ip));
}

/**
 * Records the operator's acts on an account's data in the audit trail even if they are no administrative operation. The
 * owner's own acts on an inbox are not recorded, over REST neither.
 */
export async function trace<T>(
  context: GraphqlContext,
  act: string,
  about: { account: string; id?: string },
  work: () => Promise<T>,
): Promise<T> {
  if (context.principal.operator !== true) return work();
  requireRecent(context);
  return (await context.deps.admin()).trace(act, about, toCaller(context.principal, context.ip), work);
}

/** Returns the result of a list or a report; equal calls within one document share it. */
export const lookUp = <Name extends OperationName>(
  context: GraphqlContext,
  name: Name,
  args: InputOf<Name>,
): Promise<OutputOf<Name>> => lookUpOnce(context, [name, args], () => callAdmin(context, name, args));

/**
 * Returns an item by id if it is the caller's own.
 * @throws ToolError missing_key; not_found, with the same message for other accounts' items as for missing ones.
 */
export async function findOwn<
  Name extends "keys.show" | "sessions.show" | "webhooks.show" | "webhooks.delivery",
>(context: GraphqlContext, name: Name, id: string, notFound: string): Promise<OutputOf<Name>> {
  requireAccount(context);
  const asked = callAdmin(context, name, { id } as InputOf<Name>);
  const view = (await asked.catch((error: unknown) => {
    if (error instanceof ToolError && error.code === "not_found") return undefined;
    throw error;
  })) as (OutputOf<Name> & Dated & { account: string | null }) | undefined;
  if (
    view !== undefined &&
    isOwn(context, view.account) &&
    !isOfPreviousOwner(view, await accountCreatedAt(context))
  )
    return view;
  throw new ToolError("not_found", notFound);
}

const needsCredential = (): ToolError =>
  new ToolError(
    "missing_key",
    "This belongs to an account: send Authorization: Bearer svc_live_… with a key of it, or sign in.",
  );
