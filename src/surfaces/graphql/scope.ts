import { ToolError } from "../../catalog/errors.ts";
import type { AdminArgs, AdminOperation } from "../../services/admin/admin.ts";
import type { Caller } from "../../services/audit/caller.ts";
import { refused } from "../../catalog/refused.ts";
import { gone } from "../http/body.ts";
import type { GraphqlContext } from "./context.ts";
import { accountCreatedAt, type Dated, isOfPreviousOwner } from "./previous-owner.ts";
import { lookUpOnce } from "./look-up.ts";

// Who may what. Anonymous callers run tools and sign in. A key reads what is its account's, a session of an account
// changes it too, and the session of the operator does both for every account.

type Who = Pick<GraphqlContext, "principal">;

/**
 * Whose things are asked for: the caller's own, or for the operator those of the account that is named; undefined is all
 * of them. @throws ToolError missing_key; forbidden where it is another's.
 */
export function accountOrAll({ principal }: Who, named?: string | null): string | undefined {
  const { kind, account, operator } = principal;
  if (operator === true) return named ?? undefined;
  if (account === undefined || (kind !== "key" && kind !== "session")) throw needsCredential();
  if (named === undefined || named === null || named === account) return account;
  throw new ToolError(
    "forbidden",
    `This ${kind} is of the account ${account}, and sees no other. Leave account out.`,
  );
}

/** The same where it has to be one account: the operator says which. @throws ToolError; invalid_input of the operator. */
export function accountOf(who: Who, named?: string | null): string {
  const account = accountOrAll(who, named);
  if (account !== undefined) return account;
  throw refused("/account", "Say which account: a session of the operator is of none.");
}

/** Anybody but an anonymous caller. @throws ToolError missing_key. */
export function requireAccount(who: Who): void {
  accountOrAll(who);
}

/** A session, of an account or of the operator. @throws ToolError missing_key; forbidden for a key. */
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

/** @throws ToolError missing_key; forbidden for whoever is not the operator. */
export function requireOperator({ principal: { kind, operator } }: Who): void {
  if (operator === true) return;
  throw new ToolError(
    kind === "anonymous" ? "missing_key" : "forbidden",
    "Only a settings session of the operator can do this: penknife admin login prints a code for signIn.",
  );
}

/**
 * Whether the caller may see what is of this account, where it was asked for by its id: what is another's is answered as
 * what does not exist. @throws ToolError missing_key.
 */
export function isOwn(who: Who, account: string | null | undefined): boolean {
  const own = accountOrAll(who);
  return own === undefined || own === account;
}

/** What an act is told of in the audit trail. */
export function callerOf({ principal, ip }: Pick<GraphqlContext, "principal" | "ip">): Caller {
  const { sessionId, keyId } = principal;
  const actor =
    sessionId !== undefined ? `session:${sessionId}` : keyId !== undefined ? `key:${keyId}` : "anonymous";
  return { actor, from: ip };
}

/** Carries out what the operator's commands do, in the caller's name; that it is allowed was judged before. */
export async function callAdmin<View, O extends AdminOperation = AdminOperation>(
  context: GraphqlContext,
  operation: O,
  args: AdminArgs<O>,
): Promise<View> {
  // A list asks for something of each of its entries, one after another.
  if (context.gone) throw gone;
  const admin = await context.deps.admin();
  return (await admin.call(operation, args, callerOf(context))) as View;
}

/**
 * What the operator does to what is an account's, and is no operation of theirs, is told of in the trail all the same.
 * What its owner does to an inbox is not, over REST neither.
 */
export async function trace<T>(
  context: GraphqlContext,
  act: string,
  about: { account: string; id?: string },
  work: () => Promise<T>,
): Promise<T> {
  if (context.principal.operator !== true) return work();
  return (await context.deps.admin()).trace(act, about, callerOf(context), work);
}

/** What a list or a report has. Asked for in the same words within one document, it is the same. */
export const lookUp = <View>(
  context: GraphqlContext,
  operation: AdminOperation & (`${string}.list` | "usage.history" | "webhooks.deliveries"),
  args: AdminArgs<AdminOperation>,
): Promise<View> => lookUpOnce(context, [operation, args], () => callAdmin<View>(context, operation, args));

/**
 * What an operation finds by its id, where it is the caller's own.
 * @throws ToolError missing_key; not_found in the same words for what is another's and for what is not there.
 */
export async function findOwn<View extends Dated & { account: string | null }>(
  context: GraphqlContext,
  operation: AdminOperation,
  id: string,
  notFound: string,
): Promise<View> {
  requireAccount(context);
  const view = await callAdmin<View>(context, operation, { id }).catch((error: unknown) => {
    if (error instanceof ToolError && error.code === "not_found") return undefined;
    throw error;
  });
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
