import { type Cursor, endLine, skipLines, skipSpace, toCursor } from "../toml/cursor.ts";
import { readKey } from "../toml/keys.ts";
import { endOfScalar } from "../toml/pieces.ts";
import type { Bracketed, BracketEntry } from "./brackets.ts";

/** A value of a TOML text and where it stands, in UTF-16 code units. A table of headers or dotted keys has no place of its own. */
export interface TomlNode extends Bracketed {
  readonly kind: "table" | "tables" | "inline" | "array" | "scalar";
  entries: TomlEntry[];
  readonly byKey: Map<string, TomlEntry>;
  /** The section of a table that has a header; the whole before the first header for the document. */
  section: Section | undefined;
  /** For a table of dotted keys: the section it is in, and its name there. */
  dotted: { section: Section; name: string } | undefined;
}

export interface TomlEntry extends BracketEntry {
  readonly key: string;
  readonly value: TomlNode;
}

/** The table or the item of an array of tables that a header begins. */
export interface Section {
  /** The index of the header, or of the beginning of the document. */
  readonly from: number;
  /** The end of the header's line or of the last pair, without the line end. */
  end: number;
  readonly isRoot: boolean;
  readonly table: TomlNode;
}

export interface TomlTree {
  readonly root: TomlNode;
  readonly sections: readonly Section[];
}

/** Reads a valid document. */
export function readTomlTree(text: string): TomlTree {
  const cursor = toCursor(text, "1.1");
  const root = createNode("table", 0, 0);
  const sections: Section[] = [{ from: cursor.at, end: cursor.at, isRoot: true, table: root }];
  root.section = sections[0];
  let section = sections[0] as Section;
  while (cursor.at < text.length) {
    skipSpace(cursor);
    const from = cursor.at;
    const unit = text[from] ?? "\n";
    if (unit === "[") {
      section = readHeader(cursor, root);
      sections.push(section);
    } else if (unit !== "\n" && unit !== "\r" && unit !== "#") {
      readPair(cursor, section);
    }
    const isLine = cursor.at > from;
    if (isLine) section.end = lineEndAt(text, cursor.at);
    endLine(cursor);
  }
  return { root, sections };
}

/** Returns the end of the line in which an index lies, before its line end. */
export function lineEndAt(text: string, index: number): number {
  const found = text.indexOf("\n", index);
  if (found < 0) return text.length;
  return text[found - 1] === "\r" && found > index ? found - 1 : found;
}

const createNode = (kind: TomlNode["kind"], from: number, to: number): TomlNode => ({
  kind,
  from,
  to,
  entries: [],
  byKey: new Map(),
  section: undefined,
  dotted: undefined,
});

function add(outer: TomlNode, key: string, value: TomlNode, from: number, to: number): TomlNode {
  put(outer, { key, value, from, to, comma: undefined });
  return value;
}

function put(outer: TomlNode, entry: TomlEntry): void {
  outer.entries.push(entry);
  outer.byKey.set(entry.key, entry);
}

/** The value under a key; of an array of tables the last one. */
function enter(outer: TomlNode, key: string): TomlNode | undefined {
  const found = outer.byKey.get(key)?.value;
  return found?.kind === "tables" ? found.entries.at(-1)?.value : found;
}

function readHeader(cursor: Cursor, root: TomlNode): Section {
  const from = cursor.at;
  const isArray = cursor.text[from + 1] === "[";
  cursor.at += isArray ? 2 : 1;
  const keys = readKey(cursor).map(({ name }) => name);
  skipSpace(cursor);
  cursor.at += isArray ? 2 : 1;
  let outer = root;
  for (const key of keys.slice(0, -1))
    outer = enter(outer, key) ?? add(outer, key, createNode("table", from, from), from, from);
  const last = keys.at(-1) as string;
  let table: TomlNode;
  if (isArray) {
    const found = outer.byKey.get(last)?.value;
    const list = found ?? add(outer, last, createNode("tables", from, from), from, from);
    table = add(list, String(list.entries.length), createNode("table", from, from), from, from);
  } else table = enter(outer, last) ?? add(outer, last, createNode("table", from, from), from, from);
  const section = { from, end: cursor.at, isRoot: false, table };
  table.section = section;
  return section;
}

function readPair(cursor: Cursor, section: Section): void {
  const from = cursor.at;
  const parts = readKey(cursor);
  skipSpace(cursor);
  cursor.at++;
  skipSpace(cursor);
  const value = readNode(cursor);
  let outer = section.table;
  for (const [at, { name }] of parts.slice(0, -1).entries()) {
    const next = enter(outer, name) ?? add(outer, name, createNode("table", from, from), from, from);
    const until = (parts[at + 1] as { at: number }).at;
    next.dotted ??= { section, name: cursor.text.slice(from, until).replace(/\s*\.\s*$/, "") };
    outer = next;
  }
  add(outer, (parts.at(-1) as { name: string }).name, value, from, value.to);
}

/** Recursive: the parser has limited the depth. */
function readNode(cursor: Cursor): TomlNode {
  const { text, at: from } = cursor;
  const opening = text[from];
  if (opening !== "[" && opening !== "{") {
    cursor.at = endOfScalar(text, from);
    return createNode("scalar", from, cursor.at);
  }
  cursor.at++;
  const node = createNode(opening === "[" ? "array" : "inline", from, from);
  for (skipLines(cursor); text[cursor.at] !== "]" && text[cursor.at] !== "}"; skipLines(cursor)) {
    const start = cursor.at;
    const keys = opening === "{" ? readKey(cursor).map(({ name }) => name) : [String(node.entries.length)];
    if (opening === "{") cursor.at++;
    skipSpace(cursor);
    const value = readNode(cursor);
    const { at: to } = cursor;
    skipLines(cursor);
    const comma = text[cursor.at] === "," ? cursor.at++ : undefined;
    // A dotted key stands for a table, which is not taken apart.
    const isDotted = keys.length > 1;
    const key = keys[0] as string;
    put(node, { key, from: start, to, comma, value: isDotted ? createNode("table", start, to) : value });
  }
  cursor.at++;
  return { ...node, to: cursor.at };
}
