/** The rule for one kind of secret: a pattern, or a search function. */
export type SecretRule = PatternRule | SearchRule;

interface Rule {
  /** Stable, in kebab case. */
  id: string;
  /** A noun phrase for use in a sentence: "a GitHub token". */
  title: string;
}

/**
 * Patterns use the common subset of JavaScript's and RE2's syntax, and no text makes the search slow:
 * repetitions are bounded, or cannot begin in their own middle.
 */
export interface PatternRule extends Rule {
  /** Part of every match; a text without it is not searched. */
  keyword: string;
  /** Its first group, if any, is the secret itself. */
  pattern: RegExp;
  /** Reports whether the match is a secret rather than a placeholder. */
  accept?(secret: string): boolean;
}

export interface SearchRule extends Rule {
  /** Lists the secrets of a text in order, in linear time. */
  search(text: string): Iterable<{ index: number; end: number }>;
}

/** @param rows Id, title, keyword and pattern of each rule. */
export const toRules = (rows: readonly (readonly [string, string, string, string])[]): PatternRule[] =>
  rows.map(([id, title, keyword, pattern]) => ({ id, title, keyword, pattern: new RegExp(pattern, "g") }));
