import type { Secret } from "./rule.ts";
import { createScan } from "./scan-text.ts";
import { toBits } from "./surprise.ts";
import { isSample } from "./values.ts";
import { maxBefore, type TokenRule } from "./token-rule.ts";
import { tokenRules } from "./vendors/all.ts";

interface Mark {
  prefix: string;
  rule: TokenRule;
}

/** Marks by their first two characters, the longest first: sk-ant- before sk-. */
const marks = new Map<number, Mark[]>();
const toStart = (text: string, at: number): number => (text.charCodeAt(at) << 7) | text.charCodeAt(at + 1);
for (const rule of tokenRules)
  for (const prefix of rule.prefixes) {
    const start = toStart(prefix, 0);
    marks.set(start, [...(marks.get(start) ?? []), { prefix, rule }]);
  }
for (const list of marks.values()) list.sort((a, b) => b.prefix.length - a.prefix.length);

const prefixesOf = (inside: boolean): string[] =>
  tokenRules.filter(({ before }) => (before !== undefined) === inside).flatMap(({ prefixes }) => prefixes);

/** Finds where a token or the name of a secret may begin. */
export const scanText = createScan(prefixesOf(false), prefixesOf(true));

/** Finds tokens that bear their vendor's mark. The work at each place is bounded, so that all of it is linear. */
export function* findTokens(text: string, places: readonly number[]): Generator<Secret> {
  // A text of the beginnings of one long token would be read, and measured, again from each: they are parts of the first.
  const ends = new Map<TokenRule, number>();
  for (const at of places) {
    for (const mark of marks.get(toStart(text, at)) ?? []) {
      if (at < (ends.get(mark.rule) ?? 0) || !text.startsWith(mark.prefix, at)) continue;
      const secret = readToken(text, at, mark);
      if (secret === undefined) continue;
      ends.set(mark.rule, secret.end);
      yield secret;
      break;
    }
  }
}

function readToken(text: string, at: number, { prefix, rule }: Mark): Secret | undefined {
  const { rest, before } = rule;
  // Not in the middle of another token: otherwise a text of beginnings of JWTs would be read again from each.
  if (rule.id === "jwt" && /[.-]/.test(text.charAt(at - 1))) return undefined;
  rest.lastIndex = at + prefix.length;
  const found = rest.exec(text);
  if (found === null) return undefined;
  const end = rest.lastIndex;
  // What goes on is something else, such as a longer name.
  if (/\w/.test(text.charAt(end))) return undefined;
  const group = found[1];
  if (group !== undefined) {
    const index = text.indexOf(group, at + prefix.length);
    return { rule, index, end: index + group.length };
  }
  if (before === undefined) return { rule, index: at, end };
  const start = before.exec(text.slice(Math.max(0, at - maxBefore), at))?.[1];
  return start === undefined ? undefined : { rule, index: at - start.length, end };
}

/** Reports whether the part behind the mark is random, and neither words nor the example of a manual. */
export function isIssued(text: string, { rule, index, end }: Secret): boolean {
  const value = text.slice(index, end);
  // The token with which jwt.io opens: its subject is 1234567890.
  if (rule.id === "jwt") return !value.includes(".eyJzdWIiOiIxMjM0NTY3ODkw");
  const mark = (rule as TokenRule).prefixes.find((prefix) => value.startsWith(prefix)) ?? "";
  const body = value.slice(mark.length);
  if (isSample(body) || new Set(body).size < 4) return false;
  return toBits(body) >= body.length * 1.6;
}
