import { findPasswords, findRandomValues } from "./assigned.ts";
import { findAuthorization, findCommandLine, isBasic } from "./headers.ts";
import type { PatternRule, SearchRule } from "./rule.ts";
import { isPasswordLike, isPlaceholder, isRandom } from "./values.ts";

/** Rules for secrets without a service's mark: keys, tokens and passwords by their form or place. */
export const generalRules: readonly PatternRule[] = [
  {
    id: "private-key",
    title: "a private key",
    keyword: "PRIVATE KEY",
    pattern: /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    id: "jwt",
    title: "a JSON Web Token",
    keyword: "eyJ",
    // Not in the middle of a run: otherwise a text of token prefixes would be searched again from each.
    pattern: /(?:^|[^\w.-])(eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,})/g,
  },
  {
    id: "url-password",
    title: "a password in a URL",
    keyword: "://",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,64}:([^\s/@"'<>]{3,128})@/g,
    accept: (secret) => !isPlaceholder(secret),
  },
];

/** Rules based on the name before a value; another rule that matches the same value names it instead. */
export const contextRules: readonly SearchRule[] = [
  {
    id: "authorization",
    title: "a credential of an Authorization header",
    search: function* (text) {
      for (const { find, isSecret } of credentialPlaces)
        for (const { kind, index, end } of find(text)) {
          const value = text.slice(index, end);
          if (kind === "auth" && !isPlaceholder(value) && isSecret(value)) yield { index, end };
        }
    },
  },
  { id: "assigned-password", title: "a password", search: findPasswords },
  { id: "high-entropy", title: "a likely secret", search: findRandomValues },
];

const credentialPlaces = [
  { find: findAuthorization, isSecret: isCredential },
  // A command line has the password itself, which a person may have chosen.
  { find: findCommandLine, isSecret: (value: string) => isCredential(value) || isPasswordLike(value) },
] as const;

/** A random-looking token, or base64 of a user and a password (RFC 7617). */
function isCredential(value: string): boolean {
  return isRandom(value) || isBasic(value);
}
