import { findAuthorization, findCommandLine, findCookies, isBasic } from "./headers.ts";
import type { Secret, SecretRule } from "./rule.ts";
import { isPasswordLike, isPlaceholder, isRandom } from "./values.ts";

const authorization: SecretRule = { id: "authorization", title: "a credential of an Authorization header" };
const session: SecretRule = { id: "session-cookie", title: "a session cookie" };

/** Rules for what clients send, and for how they are called. */
export const authorizationRules: readonly SecretRule[] = [authorization, session];

export function* findCredentials(text: string): Generator<Secret> {
  for (const { kind, index, end } of findAuthorization(text))
    if (
      kind === "auth" &&
      isSecret(text.slice(index, end), false) &&
      !/[|&]{2}|=>|\[/.test(text.slice(index, end))
    )
      yield { rule: authorization, index, end };
  for (const { kind, index, end } of findCommandLine(text))
    if (kind === "auth" && isSecret(text.slice(index, end), true)) yield { rule: authorization, index, end };
  for (const { index, end, name = "" } of findCookies(text)) {
    const value = text.slice(index, end);
    if (sessions.test(name) && !isPlaceholder(value) && isRandom(value, 50))
      yield { rule: session, index, end, name };
  }
}

/** A random token, base64 of a user and a password (RFC 7617), or on a command line what a person may have chosen. */
const isSecret = (value: string, chosen: boolean): boolean =>
  !isPlaceholder(value) && (isRandom(value, 38) || isBasic(value) || (chosen && isPasswordLike(value)));

const sessions = /sess|sid$|token|auth|jwt|login|remember|identity/i;
