import { DocumentFault } from "../fault.ts";
import { readClass } from "./class.ts";
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
  return readSequence({ glob, at: 0, rules, depth: 0, closed: findClosed(glob) }, "");
}

export interface Reader {
  readonly glob: string;
  at: number;
  readonly rules: GlobRules;
  depth: number;
  /** Opening braces that have a closing one: scanning ahead for each again would take exponential time. */
  readonly closed: ReadonlySet<number>;
}

/** Parses up to one of the characters in `stops`, or to the end. */
function readSequence(reader: Reader, stops: string): GlobNode {
  const { glob, rules } = reader;
  if (reader.depth++ > maxDepth)
    throw new DocumentFault(`Groups are nested more than ${maxDepth} deep.`, { index: reader.at });
  const items: GlobNode[] = [];
  while (reader.at < glob.length && !stops.includes(glob[reader.at] as string)) {
    const start = reader.at;
    const character = String.fromCodePoint(glob.codePointAt(start) as number);
    reader.at += character.length;
    if (rules.groups && "?*+@!".includes(character) && glob[reader.at] === "(")
      items.push(readExtended(reader, character));
    else if (character === "*") items.push(...readStars(reader, start));
    else if (character === "?") items.push(...visible(reader, start), notSlash);
    else if (character === "[" && rules.classes) {
      const test = readClass(reader, start);
      items.push(
        ...(test === undefined
          ? [literal("[")]
          : [...visible(reader, start), { kind: "one" as const, test }]),
      );
    } else if (character === "{" && rules.groups) items.push(readBraces(reader, start));
    else if (character === "\\") items.push(readEscaped(reader, start));
    else items.push(literal(character));
  }
  reader.depth--;
  return { kind: "sequence", items };
}

function findClosed(glob: string): Set<number> {
  const open: number[] = [];
  const closed = new Set<number>();
  for (let at = 0; at < glob.length; at++) {
    if (glob[at] === "\\") at++;
    else if (glob[at] === "{") open.push(at);
    else if (glob[at] === "}" && open.length > 0) closed.add(open.pop() as number);
  }
  return closed;
}

const notSlash: GlobNode = { kind: "one", test: (character) => character !== "/" };
const repeat = (item: GlobNode, min: 0 | 1, many: boolean): GlobNode => ({ kind: "repeat", item, min, many });
const literal = (wanted: string): GlobNode => ({ kind: "one", test: (character) => character === wanted });

/** The node before a wildcard at the start of a name. */
const visible = ({ glob, rules }: Reader, at: number): GlobNode[] =>
  rules.dot || (at > 0 && /[^/{,(|]/.test(glob[at - 1] as string)) ? [] : [{ kind: "visible" }];

/** A whole name of stars matches any number of folders; elsewhere it is *. */
function readStars(reader: Reader, start: number): GlobNode[] {
  const { glob } = reader;
  while (glob[reader.at] === "*") reader.at++;
  const first = start === 0 || glob[start - 1] === "/";
  const last = reader.at === glob.length;
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
  const alone = first && (last || glob[reader.at] === "/");
  return [...hidden, repeat(notSlash, alone ? 1 : 0, true)];
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
function readBraces(reader: Reader, start: number): GlobNode {
  const range = /^\{(-?\d{1,6})\.\.(-?\d{1,6})\}/.exec(reader.glob.slice(start, start + 32));
  if (range !== null) {
    reader.at = start + range[0].length;
    return numbers(Number(range[1]), Number(range[2]), start);
  }
  if (!reader.closed.has(start)) return literal("{");
  const items = readChoices(reader, ",", "}", start);
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

/** Parses ?(a|b), *(…), +(…) and @(…). */
function readExtended(reader: Reader, character: string): GlobNode {
  const start = reader.at - 1;
  if (character === "!")
    throw new DocumentFault("!(…) is not supported; negate the result instead.", { index: start });
  reader.at++;
  const items = readChoices(reader, "|", ")", start);
  const choice: GlobNode = { kind: "choice", items };
  return character === "@"
    ? choice
    : repeat(choice, character === "+" ? 1 : 0, character === "*" || character === "+");
}

function readChoices(reader: Reader, separator: string, end: string, start: number): GlobNode[] {
  const items: GlobNode[] = [];
  for (;;) {
    items.push(readSequence(reader, separator + end));
    const stop = reader.glob[reader.at++];
    if (stop === undefined)
      throw new DocumentFault(`The group is not closed; ${end} is missing.`, { index: start });
    if (stop === end) return items;
  }
}
