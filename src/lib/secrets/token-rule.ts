import type { SecretRule } from "./rule.ts";

/** A rule for tokens that bear their vendor's mark. */
export interface TokenRule extends SecretRule {
  /** Literal texts, one of which begins the token, or follows `before`. */
  prefixes: readonly string[];
  /** Matches what follows the prefix; its group, if any, is the secret itself. Every repetition is bounded. */
  rest: RegExp;
  /** Matches the part of the token before the mark, at the end of a text of at most `maxBefore` characters. */
  before?: RegExp;
}

/** Longest part of a token before its mark. */
export const maxBefore = 100;

/**
 * Shapes are regular expressions in the common subset of JavaScript's and RE2's syntax, with an abbreviation for characters and their
 * number: <w36> is [A-Za-z0-9]{36}, <h8,16> is 8 to 16 hexadecimal digits, <id> is a UUID.
 * @param rows Id, title, prefixes separated by spaces, shape of the rest, and shape of the part before a mark in the middle.
 */
export const toTokenRules = (
  rows: readonly (readonly [string, string, string, string, string?])[],
): TokenRule[] =>
  rows.map(([id, title, prefixes, rest, before]) => ({
    id,
    title,
    prefixes: prefixes.split(" "),
    rest: new RegExp(expandShape(rest), "y"),
    ...(before !== undefined && { before: new RegExp(`(?:^|[^A-Za-z0-9])(${expandShape(before)})$`) }),
  }));

export const expandShape = (shape: string): string =>
  shape
    .replaceAll("<id>", "<h8>-<h4>-<h4>-<h4>-<h12>")
    .replaceAll(
      /<([hlUwub])(\d+(?:,\d+)?)>/g,
      (_, kind: string, count: string) => `${alphabets[kind]}{${count}}`,
    );

const alphabets: Readonly<Record<string, string>> = {
  h: "[a-f0-9]",
  l: "[a-z0-9]",
  U: "[A-Z0-9]",
  w: "[A-Za-z0-9]",
  u: "[A-Za-z0-9_-]",
  b: "[A-Za-z0-9+/]",
};
