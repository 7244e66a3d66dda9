/** Draws a number from 0 to below a limit. */
export type Draw = (limit: number) => number;

/** The most repetitions beyond the least. */
const maxMore = 4;
const maxLength = 1000;

/**
 * Writes a text that a regular expression matches. Look-around, back-references and classes of Unicode are not supported.
 * @returns undefined for a pattern with such a part.
 */
export function drawMatch(pattern: string, draw: Draw): string | undefined {
  try {
    const reader = { pattern, at: 0 };
    const node = readChoice(reader, 0);
    return reader.at < pattern.length ? undefined : write(node, draw);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Node =
  | { kind: "set"; characters: readonly string[] }
  | { kind: "sequence" | "choice"; nodes: readonly Node[] }
  | { kind: "repeat"; node: Node; least: number; most: number };

interface Reader {
  readonly pattern: string;
  at: number;
}

const unsupported = (): RangeError => new RangeError("the pattern has a part that is not supported");

function readChoice(reader: Reader, depth: number): Node {
  if (depth > 50) throw unsupported();
  const nodes = [readSequence(reader, depth)];
  while (reader.pattern[reader.at] === "|") {
    reader.at++;
    nodes.push(readSequence(reader, depth));
  }
  return nodes.length === 1 ? (nodes[0] as Node) : { kind: "choice", nodes };
}

function readSequence(reader: Reader, depth: number): Node {
  const nodes: Node[] = [];
  for (;;) {
    const next = reader.pattern[reader.at];
    if (next === undefined || next === "|" || next === ")") return { kind: "sequence", nodes };
    reader.at++;
    // An anchor matches nothing; where it stands in the middle, the validator refuses the text.
    if (next === "^" || next === "$") continue;
    nodes.push(readRepeat(reader, readAtom(reader, next, depth)));
  }
}

function readAtom(reader: Reader, first: string, depth: number): Node {
  if (first === "(") {
    const [mark] = /^\?(?::|<\w+>)/.exec(reader.pattern.slice(reader.at, reader.at + 200)) ?? [];
    if (mark === undefined && reader.pattern[reader.at] === "?") throw unsupported();
    reader.at += mark?.length ?? 0;
    const node = readChoice(reader, depth + 1);
    if (reader.pattern[reader.at++] !== ")") throw unsupported();
    return node;
  }
  if (first === "[") return readClass(reader);
  if (first === ".") return { kind: "set", characters: letters };
  if (first === "\\") return { kind: "set", characters: readEscape(reader) };
  return { kind: "set", characters: [first] };
}

const range = (from: number, to: number): string[] =>
  Array.from({ length: Math.min(to - from + 1, 500) }, (_, at) => String.fromCharCode(from + at));
const letters = [...range(0x61, 0x7a), ...range(0x41, 0x5a)];
const digits = range(0x30, 0x39);
const printable = range(0x20, 0x7e);
const wordLike = [...letters, ...digits, "_"];
const without = (set: readonly string[]): string[] => printable.filter((one) => !set.includes(one));
const escapes: Readonly<Record<string, readonly string[]>> = {
  d: digits,
  D: without(digits),
  w: wordLike,
  W: without(wordLike),
  s: [" "],
  S: without([" "]),
  n: ["\n"],
  r: ["\r"],
  t: ["\t"],
  f: ["\f"],
  v: ["\v"],
  0: ["\0"],
};

function readEscape(reader: Reader): readonly string[] {
  const next = reader.pattern[reader.at++] ?? "";
  const [, hex] =
    (next === "u" ? /^([\da-fA-F]{4})/ : next === "x" ? /^([\da-fA-F]{2})/ : /^$(x)/).exec(
      reader.pattern.slice(reader.at, reader.at + 4),
    ) ?? [];
  if (hex !== undefined) {
    reader.at += hex.length;
    return [String.fromCharCode(parseInt(hex, 16))];
  }
  // \b and \p, and references to groups.
  if (/[bBpPkuxc1-9]/.test(next) || next === "") throw unsupported();
  return escapes[next] ?? [next];
}

function readClass(reader: Reader): Node {
  const isNegated = reader.pattern[reader.at] === "^";
  if (isNegated) reader.at++;
  const characters: string[] = [];
  for (;;) {
    const next = reader.pattern[reader.at++];
    if (next === undefined) throw unsupported();
    if (next === "]") break;
    const set = next === "\\" ? readEscape(reader) : [next];
    const [only] = set;
    const isRange =
      reader.pattern[reader.at] === "-" && reader.pattern[reader.at + 1] !== "]" && set.length === 1;
    if (!isRange) {
      characters.push(...set);
      continue;
    }
    reader.at++;
    const last = reader.pattern[reader.at++] ?? "";
    const [end] = last === "\\" ? readEscape(reader) : [last];
    characters.push(...range((only ?? "").charCodeAt(0), (end ?? "").charCodeAt(0)));
  }
  const all = isNegated ? without(characters) : characters;
  if (all.length === 0) throw unsupported();
  return { kind: "set", characters: all };
}

function readRepeat(reader: Reader, node: Node): Node {
  const [text, sign, least, comma, most] =
    /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/.exec(reader.pattern.slice(reader.at, reader.at + 24)) ?? [];
  if (text === undefined) return node;
  reader.at += text.length;
  if (sign === "?") return { kind: "repeat", node, least: 0, most: 1 };
  const from = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
  if (from > maxLength) throw unsupported();
  const to = sign === undefined && comma === undefined ? from : Number(most || from + maxMore);
  return readRepeat(reader, {
    kind: "repeat",
    node,
    least: from,
    most: sign === undefined ? to : from + maxMore,
  });
}

function write(node: Node, draw: Draw): string {
  if (node.kind === "set") return node.characters[draw(node.characters.length)] ?? "";
  if (node.kind === "choice") return write(node.nodes[draw(node.nodes.length)] as Node, draw);
  let text = "";
  if (node.kind !== "repeat") for (const one of node.nodes) text += write(one, draw);
  else {
    const count = node.least + draw(Math.max(Math.min(node.most - node.least, maxMore), 0) + 1);
    for (let at = 0; at < count; at++) text += write(node.node, draw);
  }
  if (text.length > maxLength * 10) throw unsupported();
  return text;
}
