import { DocumentFault } from "../fault.ts";

/** Longest value and longest pattern; each character of one is compared with each of the other at worst. */
const maxValue = 1_000_000;
const maxPattern = 1000;

/** One part of a pattern: any text, or one character. */
type Part = "any" | ((character: string) => boolean);

/**
 * Removes what matches a shell pattern (XCU §2.14) from the beginning (`#`) or the end (`%`) of a value; `##` and `%%`
 * remove the longest match.
 * @throws DocumentFault
 */
export function removePattern(value: string, operator: string, pattern: string, index: number): string {
  if (value.length > maxValue || pattern.length > maxPattern)
    throw new DocumentFault(
      `A pattern can have ${maxPattern} characters here, and its value ${maxValue}; leave the pattern out.`,
      { index },
    );
  const parts = parsePattern([...pattern]);
  const characters = [...value];
  const atEnd = operator.startsWith("%");
  if (atEnd) {
    parts.reverse();
    characters.reverse();
  }
  const length = findMatch(parts, characters, operator.length === 2);
  const rest = length < 0 ? characters : characters.slice(length);
  return (atEnd ? rest.toReversed() : rest).join("");
}

/** Returns the number of characters that the shortest or longest match takes, or -1; all states at once, without backtracking. */
function findMatch(parts: readonly Part[], characters: readonly string[], longest: boolean): number {
  let found = -1;
  let states = follow(parts, new Set([0]));
  for (let at = 0; states.size > 0; at++) {
    if (states.has(parts.length)) {
      if (!longest) return at;
      found = at;
    }
    const character = characters[at];
    if (character === undefined) break;
    const next = new Set<number>();
    for (const state of states) {
      const part = parts[state];
      if (part === "any") next.add(state);
      else if (part?.(character) === true) next.add(state + 1);
    }
    states = follow(parts, next);
  }
  return found;
}

/** Adds the states after parts that may be empty. A set also visits what is added meanwhile. */
function follow(parts: readonly Part[], states: Set<number>): Set<number> {
  for (const state of states) if (parts[state] === "any") states.add(state + 1);
  return states;
}

function parsePattern(pattern: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at] as string;
    const end = sign === "[" ? findBracketEnd(pattern, at) : -1;
    if (sign === "*") parts.push("any");
    else if (sign === "?") parts.push(() => true);
    else if (end > 0) {
      parts.push(parseBracket(pattern.slice(at + 1, end)));
      at = end;
    } else {
      const literal = sign === "\\" && at + 1 < pattern.length ? (pattern[++at] as string) : sign;
      parts.push((character) => character === literal);
    }
  }
  return parts;
}

/** Returns the place of the ] that closes a bracket expression, or -1; a ] at its beginning is a character. */
function findBracketEnd(pattern: readonly string[], from: number): number {
  const first = from + (pattern[from + 1] === "!" || pattern[from + 1] === "^" ? 2 : 1);
  let at = pattern[first] === "]" ? first + 1 : first;
  while (at < pattern.length && pattern[at] !== "]") {
    const close = pattern[at] === "[" && pattern[at + 1] === ":" ? pattern.indexOf(":", at + 2) : -1;
    at = close > 0 && pattern[close + 1] === "]" ? close + 2 : at + 1;
  }
  return at < pattern.length ? at : -1;
}

function parseBracket(inside: readonly string[]): (character: string) => boolean {
  const negated = inside[0] === "!" || inside[0] === "^";
  const tests: ((character: string) => boolean)[] = [];
  for (let at = negated ? 1 : 0; at < inside.length; at++) {
    const [, name] = /^\[:(\w{1,10}):\]/.exec(inside.slice(at, at + 14).join("")) ?? [];
    const known = classes.get(name ?? "");
    const low = inside[at] as string;
    const high = inside[at + 1] === "-" ? inside[at + 2] : undefined;
    if (known !== undefined) {
      tests.push((character) => known.test(character));
      at += (name as string).length + 3;
    } else if (high !== undefined) {
      tests.push((character) => toPoint(low) <= toPoint(character) && toPoint(character) <= toPoint(high));
      at += 2;
    } else tests.push((character) => character === low);
  }
  return (character) => tests.some((matches) => matches(character)) !== negated;
}

const toPoint = (character: string): number => character.codePointAt(0) as number;

const classes = new Map([
  ["alpha", /^\p{L}$/u],
  ["digit", /^[0-9]$/],
  ["alnum", /^[\p{L}\p{N}]$/u],
  ["upper", /^\p{Lu}$/u],
  ["lower", /^\p{Ll}$/u],
  ["space", /^\s$/],
  ["blank", /^[ \t]$/],
  ["punct", /^[!-/:-@[-`{-~]$/],
  ["xdigit", /^[0-9A-Fa-f]$/],
]);
