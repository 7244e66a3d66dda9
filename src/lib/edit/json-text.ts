import { fromJson } from "../data/from-json.ts";
import { isDictionary, isList, type Value } from "../data/value.ts";
import { toJson } from "../data/to-json.ts";
import { DocumentFault, unlessFault } from "../fault.ts";
import { decodeKey } from "../json/decode-key.ts";
import type { JsonDialect } from "../json/source.ts";
import { createTokens, type Tokens } from "../json/tokens.ts";
import {
  addEntry,
  type Bracketed,
  type BracketEntry,
  indentAt,
  placeOf,
  removeEntry,
  unitOf,
} from "./brackets.ts";
import type { TextFormat } from "./edit-text.ts";
import type { Operation, Path } from "./operations.ts";
import type { Edit } from "./replace.ts";

/** A value and where it stands, in UTF-16 code units. */
interface JsonNode extends Bracketed {
  readonly kind: "object" | "array" | "scalar";
  readonly entries: JsonEntry[];
}

interface JsonEntry extends BracketEntry {
  readonly key: string;
  readonly keyTo: number;
  readonly value: JsonNode;
}

/** JSON of a dialect, edited in place. The value of an edit is JSON, and any other text is a string. */
export const jsonText = (dialect: JsonDialect): TextFormat => ({
  readValue: (text) => unlessFault(() => fromJson(text, dialect)) ?? (text === "null" ? null : text),
  read(text) {
    const value = fromJson(text, dialect);
    const tokens = createTokens(text, dialect);
    do tokens.next();
    while (tokens.kind === "/");
    const root = readNode(text, tokens);
    const document = { text, root, spaced: isSpaced(text, root) };
    return { value, plan: (operation) => plan(document, operation) };
  },
});

interface JsonText {
  readonly text: string;
  readonly root: JsonNode;
  /** Whether spaces follow colons and commas. */
  readonly spaced: boolean;
}

function plan(document: JsonText, operation: Operation): Edit[] {
  const { text, root, spaced } = document;
  const { kind, path } = operation;
  if (kind === "remove") {
    const outer = find(root, path.slice(0, -1));
    return removeEntry(text, outer, positionOf(outer, path.at(-1) as string | number));
  }
  const node = find(root, path);
  if (kind === "replace") {
    const value = written(document, operation.value, node.from, isFlat(text, node));
    return [{ from: node.from, to: node.to, text: value }];
  }
  const write = (flat: boolean, at: number): string => {
    const value = written(document, operation.value, at, flat);
    return kind === "append" ? value : JSON.stringify(operation.key) + colonOf(document, node) + value;
  };
  return addEntry(text, node, write, { expands: true, spaced });
}

/** Reads the value at the token, and moves past it. The parser has limited the depth. */
function readNode(text: string, tokens: Tokens): JsonNode {
  const { kind: opening, from } = tokens;
  if (opening !== "{" && opening !== "[") {
    const { to } = tokens;
    next(tokens);
    return { kind: "scalar", from, to, entries: [] };
  }
  const entries: JsonEntry[] = [];
  next(tokens);
  while (tokens.kind !== "}" && tokens.kind !== "]") {
    const start = tokens.from;
    const keyTo = tokens.to;
    let key = String(entries.length);
    if (opening === "{") {
      const name = text.slice(tokens.from, tokens.to);
      key = decodeKey(Buffer.from(name), 0, Buffer.byteLength(name));
      next(tokens);
      next(tokens);
    }
    const value = readNode(text, tokens);
    const comma = (tokens.kind as string) === "," ? tokens.from : undefined;
    if (comma !== undefined) next(tokens);
    entries.push({ key, keyTo, from: start, to: value.to, value, comma });
  }
  const { to } = tokens;
  next(tokens);
  return { kind: opening === "{" ? "object" : "array", from, to, entries };
}

/** Moves to the next token that is no comment. */
function next(tokens: Tokens): void {
  do tokens.next();
  while (tokens.kind === "/");
}

function find(root: JsonNode, path: Path): JsonNode {
  let node = root;
  for (const step of path) node = (node.entries[positionOf(node, step)] as JsonEntry).value;
  return node;
}

function positionOf({ kind, entries }: JsonNode, step: string | number): number {
  const position = kind === "object" ? placeOf(entries, String(step)) : Number(step);
  if (entries[position] === undefined) throw new DocumentFault("The path leads to nothing.");
  return position;
}

const isFlat = (text: string, { from, to, entries }: JsonNode): boolean =>
  entries.length > 0 ? !text.slice(from, to).includes("\n") : !text.includes("\n");

/** Writes a value, on one line or with the indentation of the line where it begins. */
function written({ text, spaced }: JsonText, value: Value, at: number, flat: boolean): string {
  if (!isList(value) && !isDictionary(value)) return toJson(value, 0);
  if (flat) return flatText(value, spaced);
  const unit = unitOf(text);
  const [first = "", ...others] = toJson(value, 1).split("\n");
  const indent = indentAt(text, at);
  const lines = others.map((line) => indent + line.replace(/^ +/, (spaces) => unit.repeat(spaces.length)));
  return [first, ...lines].join(/^[^\n]*\r\n/.test(text) ? "\r\n" : "\n");
}

/** Recursive: the depth of a value is limited. */
function flatText(value: Value, spaced: boolean): string {
  const comma = spaced ? ", " : ",";
  if (isList(value)) return `[${value.map((item) => flatText(item, spaced)).join(comma)}]`;
  if (!isDictionary(value)) return toJson(value, 0);
  const colon = spaced ? ": " : ":";
  const members = Array.from(value, ([key, item]) => JSON.stringify(key) + colon + flatText(item, spaced));
  return `{${members.join(comma)}}`;
}

/** The text between the last key of the object and its value, or between another key and value of the document. */
function colonOf({ text, spaced }: JsonText, { entries }: JsonNode): string {
  const last = entries.at(-1);
  const between = last === undefined ? undefined : colonBefore(text, last);
  return between === undefined || between.includes("\n") ? (spaced ? ": " : ":") : between;
}

/** Undefined if there is a comment. */
const colonBefore = (text: string, { keyTo, value }: JsonEntry): string | undefined =>
  /^\s*:\s*$/.exec(text.slice(keyTo, value.from))?.[0];

/** Looks at the first colon of the text, or at its first comma; without either at its lines. */
function isSpaced(text: string, root: JsonNode): boolean {
  let node: JsonNode | undefined = root;
  for (; node !== undefined; node = node.entries[0]?.value) {
    const [first, second] = node.entries;
    const colon = first === undefined || node.kind !== "object" ? undefined : colonBefore(text, first);
    if (colon !== undefined) return colon.endsWith(" ");
    if (first?.comma !== undefined && second !== undefined) return /\s/.test(text[first.comma + 1] ?? "");
  }
  return text.trim().includes("\n");
}
