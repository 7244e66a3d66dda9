import { DocumentFault } from "../fault.ts";
import { readClass } from "./class.ts";
import { complement } from "./complement.ts";
import type { GlobNode } from "./program.ts";

export interface GlobRules {
  /** Whether wildcards match a dot at the start of a name. */
  dot: boolean;
  /** Whether {a,b}, {1..3} and @(a|b) are supported, as in shells but not in Git. */
  groups: boolean;
  /** Whether [a-z] is supported; CODEOWNERS does not have it. */
  classes: boolean;
}

/** Limits of number ranges and nested groups. */
const maxRange = 1000;
const maxDepth = 32;

/** @throws DocumentFault with the index of malformed or unsupported syntax. */
export function parseGlob(glob: string, rules: GlobRules): GlobNode {
  return readSequence({
    glob,
    at: 0,
    rules,
    depth: 0,
    ...findClosed(glob),
    stops: "",
    after: "",
    isFirst: true,
  });
}

export interface Reader {
  readonly glob: string;
  at: number;
  rules: GlobRules;
  depth: number;
  /** Opening braces and parentheses, and the places of those that close them: scanning ahead for each again would take exponential time. */
  readonly closed: ReadonlyMap<number, number>;
  readonly divided: ReadonlySet<number>;
  /** Characters that end an alternative of the innermost group. */
  stops: string;
  /** Whether the innermost group, or the pattern outside of groups, is at the start of a name. */
  isFirst: boolean;
  /** The character after the innermost group, or after those around it that end with it; empty at the end of the pattern. */
  after: string;
}

/** Parses up to one of the characters that stop the reader, or to the end. */
function readSequence(reader: Reader): GlobNode {
  const { glob, rules, stops } = reader;
  if (reader.depth++ > maxDepth)
    throw new DocumentFault(`Groups are nested more than ${maxDepth} deep.`, { index: reader.at });
  const items: GlobNode[] = [];
  const begin = reader.at;
  while (reader.at < glob.length && !stops.includes(glob[reader.at] as string)) {
    const start = reader.at;
    const character = String.fromCodePoint(glob.codePointAt(start) as number);
    reader.at += character.length;
    if (rules.groups && "?*+@!".includes(character) && glob[reader.at] === "(")
      items.push(...readExtended(reader, character, startsName(reader, start, begin)));
    else if (character === "*") items.push(...readStars(reader, start, startsName(reader, start, begin)));
    else if (character === "?") items.push(...visible(reader, start), notSlash);
    else if (character === "[" && rules.classes) {
      const one = readClass(reader, start);
      items.push(...(one === undefined ? [literal("[")] : [...visible(reader, start), one]));
    } else if (character === "{" && rules.groups)
      items.push(readBraces(reader, start, startsName(reader, start, begin)));
    else if (character === "\\") items.push(readEscaped(reader, start));
    else items.push(literal(character));
  }
  reader.depth--;
  return { kind: "sequence", items };
}

/** Finds brackets that are closed, and braces with a comma directly in them. */
function findClosed(glob: string): { closed: Map<number, number>; divided: Set<number> } {
  const braces: number[] = [];
  const parentheses: number[] = [];
  const closed = new Map<number, number>();
  const divided = new Set<number>();
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] as string;
    const brace = braces.at(-1) ?? -1;
    if (character === "\\") at++;
    else if (character === "{") braces.push(at);
    else if (character === "(") parentheses.push(at);
    else if (character === "," && brace > (parentheses.at(-1) ?? -1)) divided.add(brace);
    else if (character === "}" && brace !== -1) closed.set(braces.pop() as number, at);
    else if (character === ")" && parentheses.length > 0) closed.set(parentheses.pop() as number, at);
  }
  return { closed, divided };
}

/** Whether a name starts at a place, in a sequence that begins at `begin`. */
const startsName = ({ glob, isFirst }: Reader, at: number, begin: number): boolean =>
  at === begin ? isFirst : glob[at - 1] === "/";

const notSlash: GlobNode = { kind: "one", test: (character) => character !== "/", edges: [0x2f, 0x30] };
const repeat = (item: GlobNode, min: 0 | 1, many: boolean): GlobNode => ({ kind: "repeat", item, min, many });

function literal(wanted: string): GlobNode {
  const point = wanted.codePointAt(0) ?? 0;
  return { kind: "one", test: (character) => character === wanted, edges: [point, point + 1] };
}

/** The node before a wildcard at the start of a name. */
const visible = ({ glob, rules }: Reader, at: number): GlobNode[] =>
  rules.dot || (at > 0 && /[^/{,(|]/.test(glob[at - 1] as string)) ? [] : [{ kind: "visible" }];

/** A whole name of stars matches any number of folders; elsewhere it is *. */
function readStars(reader: Reader, start: number, first: boolean): GlobNode[] {
  const { glob } = reader;
  while (glob[reader.at] === "*") reader.at++;
  const after = characterAfter(reader, reader.at);
  const last = after === "";
  const hidden = visible(reader, start);
  const name: GlobNode = { kind: "sequence", items: [...hidden, repeat(notSlash, 1, true)] };
  const stars = reader.at - start;
  // Git reads more than two stars as two, shells as one.
  if (first && (stars === 2 || (stars > 2 && !reader.rules.groups))) {
    const below = repeat({ kind: "sequence", items: [name, literal("/")] }, 0, true);
    if (glob[reader.at] === "/") {
      reader.at++;
      return [below];
    }
    if (last) return [below, start === 0 ? repeat(name, 0, false) : name];
  }
  // A name is never empty: a/* does not match a/.
  const alone = first && (last || after === "/");
  return [...hidden, repeat(notSlash, alone ? 1 : 0, true)];
}

/** The character that follows a place whatever alternative is taken; empty at the end of the pattern. */
function characterAfter({ glob, after, stops }: Reader, at: number): string {
  const next = glob[at] ?? "";
  return next !== "" && stops.includes(next) ? after : next;
}

function readEscaped(reader: Reader, start: number): GlobNode {
  const point = reader.glob.codePointAt(reader.at);
  if (point === undefined)
    throw new DocumentFault("A backslash needs a character after it.", { index: start });
  const character = String.fromCodePoint(point);
  reader.at += character.length;
  return literal(character);
}

/** Parses {a,b} and {1..3}; braces without a comma are literal. */
function readBraces(reader: Reader, start: number, isFirst: boolean): GlobNode {
  const range = /^\{(-?\d{1,6})\.\.(-?\d{1,6})\}/.exec(reader.glob.slice(start, start + 32));
  if (range !== null) {
    reader.at = start + range[0].length;
    return numbers(Number(range[1]), Number(range[2]), start);
  }
  if (!reader.closed.has(start)) return literal("{");
  const items = readChoices(reader, {
    open: start,
    separator: ",",
    end: "}",
    isFirst: isFirst && reader.divided.has(start),
  });
  if (items.length > 1) return { kind: "choice", items };
  return { kind: "sequence", items: [literal("{"), ...items, literal("}")] };
}

function numbers(from: number, to: number, index: number): GlobNode {
  if (Math.abs(to - from) >= maxRange)
    throw new DocumentFault(`A range can have at most ${maxRange} numbers.`, { index });
  const low = Math.min(from, to);
  const items = Array.from({ length: Math.abs(to - from) + 1 }, (_, step): GlobNode => ({
    kind: "sequence",
    items: [...String(low + step)].map(literal),
  }));
  return { kind: "choice", items };
}

const extended = { separator: "|", end: ")" };

/** Parses ?(a|b), *(…), +(…), @(…) and !(…). */
function readExtended(reader: Reader, character: string, isFirst: boolean): GlobNode[] {
  const start = reader.at - 1;
  reader.at++;
  if (character === "!") return readNot(reader, start, isFirst);
  // Behind the first text, a repeated group is not at the start of a name.
  const once = isFirst && "@?".includes(character);
  const items = readChoices(reader, { ...extended, open: start + 1, isFirst: once });
  const choice: GlobNode = { kind: "choice", items };
  if (character === "@") return [choice];
  return [repeat(choice, character === "+" ? 1 : 0, character !== "?")];
}

/**
 * The text in the place of !(…) is none that an alternative matches, as in bash. It is within a name, unless an alternative has a slash.
 * Wildcards of the alternatives match a dot at the start of a name: !(*.md) matches less, not more.
 */
function readNot(reader: Reader, start: number, isFirst: boolean): GlobNode[] {
  const { rules } = reader;
  reader.rules = { ...rules, dot: true };
  const items = readChoices(reader, { ...extended, open: start + 1, isFirst });
  reader.rules = rules;
  const after = characterAfter(reader, reader.at);
  // A name is never empty.
  if (isFirst && (after === "" || after === "/")) items.push({ kind: "sequence", items: [] });
  const crosses = reader.glob.slice(start, reader.at).includes("/");
  const item: GlobNode = { kind: "choice", items };
  const automaton = complement(item, crosses, start);
  return [...visible(reader, start), { kind: "not", item, crosses, hides: crosses && !rules.dot, automaton }];
}

interface Group {
  open: number;
  separator: string;
  end: string;
  isFirst: boolean;
}

/** Parses the alternatives of a group after its opening bracket, which is at `open`. */
function readChoices(reader: Reader, { open, separator, end, isFirst }: Group): GlobNode[] {
  const { stops, after } = reader;
  const outer = { stops, after, isFirst: reader.isFirst };
  const close = reader.closed.get(open);
  const behind = close === undefined ? "" : characterAfter(reader, close + 1);
  Object.assign(reader, { stops: separator + end, after: behind, isFirst });
  const items: GlobNode[] = [];
  for (;;) {
    items.push(readSequence(reader));
    const stop = reader.glob[reader.at++];
    if (stop === undefined)
      throw new DocumentFault(`The group is not closed; ${end} is missing.`, {
        index: end === ")" ? open - 1 : open,
      });
    if (stop !== end) continue;
    Object.assign(reader, outer);
    return items;
  }
}
