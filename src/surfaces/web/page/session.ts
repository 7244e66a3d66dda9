import { ask } from "./server.ts";
import { keepAccountName } from "./account-name.ts";

/** A session as `/session` answers with it. `account` is null for the operator. */
export interface Session {
  account: string | null;
  expiresAt: string;
  /** The person who signed in without a code. The issuer of a provider is a URL. */
  person?: { issuer: string };
}

let asked: Promise<Session | null | undefined> | undefined;

/**
 * Asks the server once who is signed in: the page is the same for everybody, and no script sees the cookie. Null if nobody is,
 * undefined if the server did not answer.
 */
export const readSession = (root: URL): Promise<Session | null | undefined> =>
  (asked ??= ask<{ session: Session | null }>(new URL("session", root), "GET").then(
    ({ value }) => value?.session,
  ));

/** Remembers who is signed in, so that the next page shows it from its first paint on. */
export const keepAccount = (session: Session | null): void =>
  keepAccountName(session === null ? "" : (session.account ?? "Operator"));
