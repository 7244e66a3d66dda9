import { cloudRules } from "./cloud-rules.ts";
import { contextRules, generalRules } from "./general-rules.ts";
import type { SecretRule } from "./rule.ts";
import { serviceRules } from "./service-rules.ts";

export interface Secret {
  rule: SecretRule;
  text: string;
  /** Start and end of the secret, in UTF-16 code units. */
  index: number;
  end: number;
}

/** Specific rules precede general ones: the first rule to match names the secret. */
export const secretRules: readonly SecretRule[] = [
  ...generalRules,
  ...cloudRules,
  ...serviceRules,
  ...contextRules,
];

export const secretRuleIds = secretRules.map(({ id }) => id) as [string, ...string[]];

/** Rules that go by the name before a value, and give way to those that know its form. */
const weak: ReadonlySet<SecretRule> = new Set(contextRules);

/** At most `limit` secrets in the order of the text, none within another. */
export function findSecrets(text: string, rules: readonly SecretRule[], limit: number): Secret[] {
  const found = rules.flatMap((rule) => findAll(text, rule, limit));
  // Sorting is stable: at one place the order of the rules decides.
  found.sort((a, b) => a.index - b.index);
  const result: Secret[] = [];
  for (const secret of found) {
    const last = result.at(-1);
    if (last === undefined || secret.index >= last.end) result.push(secret);
    else if (weak.has(last.rule) && !weak.has(secret.rule)) result[result.length - 1] = secret;
  }
  return result.slice(0, limit);
}

function findAll(text: string, rule: SecretRule, limit: number): Secret[] {
  const found: Secret[] = [];
  for (const { index, end } of "search" in rule ? rule.search(text) : findMatches(text, rule)) {
    found.push({ rule, text: text.slice(index, end), index, end });
    if (found.length === limit) break;
  }
  return found;
}

function* findMatches(
  text: string,
  { keyword, pattern, accept }: Extract<SecretRule, { pattern: RegExp }>,
): Generator<{ index: number; end: number }> {
  if (!text.includes(keyword)) return;
  for (const match of text.matchAll(pattern)) {
    const secret = match[1] ?? match[0];
    if (accept?.(secret) === false) continue;
    // A group is at the end of its match, except for the @ of a URL.
    const index = match.index + match[0].lastIndexOf(secret);
    yield { index, end: index + secret.length };
  }
}
