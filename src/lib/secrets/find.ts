import { assignedRules, toAssignedSecret } from "./assigned.ts";
import { findAssignments } from "./assignments.ts";
import { clientRules, findClientLogins } from "./client-logins.ts";
import { findTokens, isIssued, scanText } from "./find-tokens.ts";
import { fileRules, findInKeyFiles } from "./key-files.ts";
import type { Secret, SecretRule } from "./rule.ts";
import { findUrlPasswords, urlPassword } from "./url-logins.ts";
import { tokenRules } from "./vendors/all.ts";
import { findAuthorization, findCommandLine, findCookies, isBasic } from "./headers.ts";
import { isPasswordLike, isPlaceholder, isRandom } from "./values.ts";

const authorization: SecretRule = { id: "authorization", title: "a credential of an Authorization header" };
const session: SecretRule = { id: "session-cookie", title: "a session cookie" };

/** Rules for what clients send, and for how they are called. */
const authorizationRules: readonly SecretRule[] = [authorization, session];

/** Specific rules precede general ones. */
export const secretRules: readonly SecretRule[] = [
  ...fileRules,
  ...clientRules,
  ...tokenRules,
  urlPassword,
  ...authorizationRules,
  ...assignedRules,
];

export const secretRuleIds = secretRules.map(({ id }) => id) as [string, ...string[]];

/** Rules that go by the name before a value, and give way to those that know its form. */
const weak: ReadonlySet<SecretRule> = new Set([urlPassword, ...authorizationRules, ...assignedRules]);

/**
 * At most `limit` secrets in the order of the text, none within another.
 * @param examples Whether to include tokens that were written as examples, as masking does.
 */
export function findSecrets(
  text: string,
  rules: ReadonlySet<SecretRule> | readonly SecretRule[],
  limit: number,
  examples = false,
): Secret[] {
  const wanted = new Set(rules);
  const { hints, marks } = scanText(text);
  const found: Secret[] = [];
  const add = (secret: Secret | undefined): void => {
    if (secret !== undefined && wanted.has(secret.rule)) found.push(secret);
  };
  for (const secret of findTokens(text, marks)) if (examples || isIssued(text, secret)) add(secret);
  for (const secret of findInKeyFiles(text, examples)) add(secret);
  for (const secret of findClientLogins(text, hints)) add(secret);
  for (const secret of findUrlPasswords(text)) add(secret);
  for (const secret of findCredentials(text)) add(secret);
  if (assignedRules.some((rule) => wanted.has(rule)))
    for (const assignment of findAssignments(text, hints)) add(toAssignedSecret(text, assignment));
  // Sorting is stable: at one place the order of the searches decides.
  found.sort((a, b) => a.index - b.index);
  const result: Secret[] = [];
  for (const secret of found) {
    const last = result.at(-1);
    if (last === undefined || secret.index >= last.end) result.push(secret);
    else if (weak.has(last.rule) && !weak.has(secret.rule))
      result[result.length - 1] = { ...secret, name: last.name };
  }
  return result.slice(0, limit);
}

function* findCredentials(text: string): Generator<Secret> {
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
