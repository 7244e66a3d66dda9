import type { SecretRule } from "./rule.ts";

/** Secrets that no service has marked: keys, tokens and passwords by their form or their place. */
export const generalRules: readonly SecretRule[] = [
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

/** A name that tells of a secret before a value that looks random. */
export const entropyRule: SecretRule = {
  id: "high-entropy",
  title: "what looks like a secret",
  keyword: "",
  pattern:
    /(?i:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|credentials?)[\w-]{0,24}["']?[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,8}["'`]?([\w+/=.~!@#%^&*-]{12,256})/g,
  accept: (secret) => !isPlaceholder(secret) && isRandom(secret),
};

/** What documentation and templates have where a secret will be. */
function isPlaceholder(secret: string): boolean {
  return /^[$<{[%*]|^(?:your|example|changeme|change_me|placeholder|password|secret|token|xxx|dummy|test)|\.\.\.$|^(.)\1+$/i.test(
    secret,
  );
}

/** Letters and digits, mixed so that few repeat, and no path, version or name of short parts. */
function isRandom(secret: string): boolean {
  if (!/\d/.test(secret) || !/[A-Za-z]/.test(secret)) return false;
  const name = /^[\w./-]+$/.test(secret) && secret.split(/[./_-]/).every((part) => part.length < 10);
  return !name && toEntropy(secret) >= 3.4;
}

/** Bits for each character, by how often each occurs (Shannon). */
function toEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
