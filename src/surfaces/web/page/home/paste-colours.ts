import { jsonTokens } from "../editor/json-tokens.ts";
import { maxColoured, type Piece } from "../ui/piece.ts";

/** Kinds of text that have colours, by how they look, and what finds their pieces: the groups of the pattern are named by the colours. */
const kinds: readonly (readonly [looks: RegExp, pieces: RegExp])[] = [
  [
    /^\s*[\w-]{10,}\.[\w-]+\.[\w-]*\s*$/,
    /(?<part1>^\s*[\w-]+)|(?<part2>(?<=^\s*[\w-]+\.)[\w-]+)|(?<part3>[\w-]+\s*$)/g,
  ],
  [/^\s*[[{]/, jsonTokens],
  [/^\s*-----BEGIN /, /(?<key>-----(?:BEGIN|END) [^\n]*)/g],
  [
    /^\s*[a-z][a-z\d+.-]*:\/\/\S+\s*$/i,
    /(?<part1>(?<=:\/\/)[^\s/?#@]+(?=@))|(?<part2>(?<=:\/\/(?:[^\s/?#@]+@)?)[^\s/?#@:]+)|(?<number>\?[^\s#]*)|(?<word>#\S*)|(?<part3>(?<=[^/:])\/[^\s?#]*)/g,
  ],
  [/^\s*<(?:[?!]|[a-z])/i, /(?<key><\/?[\w:.-]+|\/?>)|(?<string>"[^"<]*")/gi],
];

/** Returns a text in the colours of what it looks like; undefined if it has none. */
export function coloursOf(text: string): Piece[] | undefined {
  if (text === "" || text.length > maxColoured) return undefined;
  const pieces = kinds.find(([looks]) => looks.test(text))?.[1];
  if (pieces === undefined) return undefined;
  const found: Piece[] = [];
  let at = 0;
  for (const { index, groups = {}, 0: whole } of text.matchAll(pieces)) {
    const [name = "", piece] = Object.entries(groups).find(([, one]) => one !== undefined) ?? [];
    if (piece === undefined) continue;
    const start = index + whole.indexOf(piece);
    if (start > at) found.push({ text: text.slice(at, start) });
    found.push({ text: piece, kind: colours[name] });
    at = start + piece.length;
  }
  if (at < text.length) found.push({ text: text.slice(at) });
  return found;
}

const colours: Readonly<Record<string, Piece["kind"]>> = {
  key: "key",
  string: "string",
  number: "number",
  word: "word",
  atom: "word",
  part1: "part-1",
  part2: "part-2",
  part3: "part-3",
};
