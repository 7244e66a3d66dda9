import { countSteps, type GlobNode, maxSteps } from "../glob/program.ts";
import { createGlobSet } from "../glob/glob-set.ts";
import { OptionFault } from "../fault.ts";
import { numberRange } from "./number-range.ts";

/**
 * Returns a function that returns the indexes of the globs that match a path, which has slashes and is relative to the folder of
 * the file of settings. Linear in the path, whatever the globs.
 * @throws OptionFault if the globs are too long together.
 */
export function createEditorGlobs(globs: readonly string[]): (path: string) => readonly number[] {
  const nodes = globs.map(toNode);
  let steps = 0;
  for (const node of nodes) steps += countSteps(node);
  if (steps > maxSteps) throw new OptionFault("The names of its sections are too many or too long together.");
  return createGlobSet(nodes);
}

const anything: GlobNode = { kind: "one", test: () => true, edges: [] };
const notSlash: GlobNode = { kind: "one", test: (character) => character !== "/", edges: [0x2f, 0x30] };
const any = (item: GlobNode): GlobNode => ({ kind: "repeat", item, min: 0, many: true });

function literal(wanted: string): GlobNode {
  const point = wanted.codePointAt(0) ?? 0;
  return { kind: "one", test: (character) => character === wanted, edges: [point, point + 1] };
}

/** Any number of folders, none among them. */
const folders: GlobNode = {
  kind: "repeat",
  item: { kind: "sequence", items: [any(anything), literal("/")] },
  min: 0,
  many: false,
};

/** Groups may nest as deeply; deeper ones are literal. */
const maxDepth = 32;

/** A glob with a slash begins at its folder, another one in any folder below; `**` with a slash on each side may be no folder. */
function toNode(glob: string): GlobNode {
  const hasSlash = glob
    .replaceAll(/\\./gs, "")
    .replaceAll(/\[[^\]/]*\]/g, "")
    .includes("/");
  const pattern = glob.replace(/^\//, "").replace(/^(?:\*\*\/)+/, "");
  const { node } = readSequence({ pattern, divided: findDivided(pattern), depth: 0 }, 0, "");
  const isAnywhere = !hasSlash || /^\/?\*\*\//.test(glob);
  return isAnywhere ? { kind: "sequence", items: [folders, node] } : node;
}

interface Reading {
  pattern: string;
  /** Braces with a comma directly in them; others but ranges are literal, and all are if one lacks its other. */
  divided: ReadonlySet<number>;
  depth: number;
}

/** Finds them in one pass: trying each pair of braces would take exponential time. */
function findDivided(pattern: string): ReadonlySet<number> {
  const open: number[] = [];
  const divided = new Set<number>();
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "[") at = (readClass(pattern, at)?.next ?? at + 1) - 1;
    else if (character === "{") open.push(at);
    else if (character === "," && open.length > 0) divided.add(open.at(-1) as number);
    else if (character === "}" && open.pop() === undefined) return new Set();
  }
  return open.length === 0 ? divided : new Set();
}

interface Read {
  node: GlobNode;
  /** The first character that was not read. */
  next: number;
}

/** Reads up to one of the characters that end an alternative, or to the end. */
function readSequence(reading: Reading, from: number, stops: string): Read {
  const { pattern } = reading;
  const items: GlobNode[] = [];
  let at = from;
  const add = ({ node, next }: Read): void => {
    items.push(node);
    at = next;
  };
  while (at < pattern.length && !stops.includes(pattern[at] as string)) {
    const character = String.fromCodePoint(pattern.codePointAt(at) as number);
    const following = pattern.codePointAt(at + 1);
    if (character === "\\" && following !== undefined) {
      const escaped = String.fromCodePoint(following);
      add({ node: literal(escaped), next: at + 1 + escaped.length });
    } else if (pattern.startsWith("/**/", at)) {
      add({ node: { kind: "sequence", items: [literal("/"), folders] }, next: at + 4 });
    } else if (character === "*" && pattern[at + 1] === "*") {
      add({ node: any(anything), next: at + 2 });
    } else if (character === "*") add({ node: any(notSlash), next: at + 1 });
    else if (character === "?") add({ node: notSlash, next: at + 1 });
    else if (character === "[") add(readClass(pattern, at) ?? { node: literal("["), next: at + 1 });
    else if (character === "{" && reading.depth < maxDepth) add(readBraces(reading, at));
    else add({ node: literal(character), next: at + character.length });
  }
  return { node: { kind: "sequence", items }, next: at };
}

/** Reads [abc], [!abc] and [a-z]; undefined if it is not closed or has a slash, so that the bracket is literal. */
function readClass(pattern: string, start: number): Read | undefined {
  const negated = pattern[start + 1] === "!";
  const ranges: [number, number][] = [];
  let at = start + (negated ? 2 : 1);
  const take = (): number => {
    if (pattern[at] === "\\" && at + 1 < pattern.length) at++;
    const point = pattern.codePointAt(at) as number;
    at += point > 0xffff ? 2 : 1;
    return point;
  };
  while (at < pattern.length && pattern[at] !== "]") {
    if (pattern[at] === "/") return undefined;
    const low = take();
    const isRange = pattern[at] === "-" && at + 1 < pattern.length && pattern[at + 1] !== "]";
    if (isRange) at++;
    if (isRange && pattern[at] === "/") return undefined;
    ranges.push([low, isRange ? take() : low]);
  }
  if (at >= pattern.length) return undefined;
  const test = (character: string): boolean => {
    const point = character.codePointAt(0) ?? 0;
    return character !== "/" && ranges.some(([low, high]) => low <= point && point <= high) !== negated;
  };
  const edges = [0x2f, 0x30, ...ranges.flatMap(([low, high]) => [low, high + 1])];
  return { node: { kind: "one", test, edges }, next: at + 1 };
}

/** Reads {a,b} and {1..3}; braces with neither are literal. */
function readBraces(reading: Reading, start: number): Read {
  const { pattern, divided } = reading;
  const [whole, low, high] =
    /^\{([-+]?\d{1,15})\.\.([-+]?\d{1,15})\}/.exec(pattern.slice(start, start + 40)) ?? [];
  const range = whole === undefined ? undefined : numberRange(Number(low), Number(high));
  if (whole !== undefined && range !== undefined) return { node: range, next: start + whole.length };
  const inner = { ...reading, depth: reading.depth + 1 };
  if (!divided.has(start)) {
    const { node, next } = readSequence(inner, start + 1, "}");
    const items = [literal("{"), node, ...(next < pattern.length ? [literal("}")] : [])];
    return { node: { kind: "sequence", items }, next: next + 1 };
  }
  const choices: GlobNode[] = [];
  for (let at = start + 1; ;) {
    const { node, next } = readSequence(inner, at, ",}");
    choices.push(node);
    if (pattern[next] !== ",") return { node: { kind: "choice", items: choices }, next: next + 1 };
    at = next + 1;
  }
}
