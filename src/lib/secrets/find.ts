import { assignedRules, toAssignedSecret } from "./assigned.ts";
import { findAssignments } from "./assignments.ts";
import { clientRules, findClientLogins } from "./client-logins.ts";
import { authorizationRules, findCredentials } from "./credentials.ts";
import { findTokens, isIssued, scanText } from "./find-tokens.ts";
import { fileRules, findInKeyFiles } from "./key-files.ts";
import type { Secret, SecretRule } from "./rule.ts";
import { findUrlPasswords, urlPassword } from "./url-logins.ts";
import { tokenRules } from "./vendors/all.ts";

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
