import { findPasswords, findRandomValues } from "./assigned.ts";
import { findAuthorization, findCommandLine, isBasic } from "./headers.ts";
import type { PatternRule, SearchRule } from "./rule.ts";
import { isPlaceholder, isRandom } from "./values.ts";

/** Secrets that no service has marked: keys, tokens and passwords by their form or their place. */
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
    // Not in the middle of a run: a text of beginnings of tokens would be searched anew from each.
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

/** Rules that go by the name before a value; where another rule finds the same, that one names it. */
export const contextRules: readonly SearchRule[] = [
  {
    id: "authorization",
    title: "a credential of an Authorization header",
    search: function* (text) {
      for (const find of [findAuthorization, findCommandLine])
        for (const { kind, index, end } of find(text)) {
          const value = text.slice(index, end);
          if (kind === "auth" && !isPlaceholder(value) && isCredential(value)) yield { index, end };
        }
    },
  },
  { id: "assigned-password", title: "a password", search: findPasswords },
  { id: "high-entropy", title: "what looks like a secret", search: findRandomValues },
];

/** A token that looks random, or base64 of a user and a password (RFC 7617). */
const isCredential = (value: string): boolean => isRandom(value) || isBasic(value);
