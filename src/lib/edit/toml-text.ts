import { fromJson } from "../data/from-json.ts";
import { isDictionary, type Value } from "../data/value.ts";
import { DocumentFault, OptionFault, unlessFault } from "../fault.ts";
import type { TomlVersion } from "../toml/cursor.ts";
import { fromToml } from "../toml/from-toml.ts";
import { toInlineToml, tomlKey, toToml } from "../toml/to-toml.ts";
import { addEntry, removeEntry } from "./brackets.ts";
import type { TextFormat } from "./edit-text.ts";
import type { Operation, Path } from "./operations.ts";
import type { Edit } from "./replace.ts";
import {
  lineEndAt,
  readTomlTree,
  type Section,
  type TomlEntry,
  type TomlNode,
  type TomlTree,
} from "./toml-tree.ts";

/** TOML, edited in place. The value of an edit is one of TOML or JSON, and any other text is a string. */
export const tomlText = (version: TomlVersion): TextFormat => ({
  readValue(text) {
    const value = unlessFault(() => fromToml(`value = ${text}\n`, { version }));
    const own = value?.size === 1 ? value.get("value") : undefined;
    if (own !== undefined) return own;
    return unlessFault(() => fromJson(text)) ?? (text === "null" ? null : text);
  },
  read(text) {
    const value = fromToml(text, { version });
    const tree = readTomlTree(text);
    return { value, plan: (operation) => refusingValues(() => plan(text, tree, operation)) };
  },
});

/** A value that TOML lacks is a fault of the edit. */
function refusingValues(work: () => Edit[]): Edit[] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw new OptionFault(error.message.replace(/\.$/, ""));
  }
}

function plan(text: string, tree: TomlTree, operation: Operation): Edit[] {
  const { kind, path } = operation;
  if (kind === "remove") return remove(text, tree, path);
  const node = find(tree.root, path);
  if (kind === "replace") {
    if (node.kind === "table" || node.kind === "tables")
      throw new OptionFault(
        "A table with a header or dotted keys cannot be replaced; set its members, or remove it first",
      );
    return [{ from: node.from, to: node.to, text: written(text, node, operation.value) }];
  }
  const value = operation.value;
  if (node.kind === "tables") return appendTable(text, tree, path, node, value);
  if (kind === "append") return addEntry(text, node, () => toInlineToml(value));
  const pair = `${tomlKey(operation.key)} = `;
  if (node.kind === "inline") {
    if (node.entries.length > 0) return addEntry(text, node, () => pair + toInlineToml(value));
    return [{ from: node.from, to: node.to, text: `{ ${pair}${toInlineToml(value)} }` }];
  }
  return addPair(text, tree, path, node, operation.key, value);
}

/** Adds a pair to a table of headers or dotted keys; a table in a table that has a header gets a header. */
function addPair(
  text: string,
  tree: TomlTree,
  path: Path,
  table: TomlNode,
  key: string,
  value: Value,
): Edit[] {
  const end = lineEndOf(text);
  const { section, dotted } = table;
  const isInArray = path.some((step) => typeof step === "number");
  const wantsHeader = isDictionary(value) && value.size > 0 && dotted === undefined && !isInArray;
  if (wantsHeader || (section === undefined && dotted === undefined && !isInArray)) {
    let whole: Value = new Map([[key, value]]);
    for (const step of path.toReversed()) whole = new Map([[String(step), whole]]);
    const before = text.trim() === "" ? "" : text.endsWith("\n") ? end : end + end;
    return [{ from: text.length, to: text.length, text: before + toToml(whole).replaceAll("\n", end) }];
  }
  const line = `${dotted === undefined ? "" : `${dotted.name}.`}${tomlKey(key)} = ${toInlineToml(value)}`;
  const last = dotted === undefined || section !== undefined ? section?.end : lastEnd(text, table);
  if (last === undefined) throw new OptionFault("The table has no header to which a pair could be added");
  if (section?.isRoot !== true || hasPairs(table)) {
    const margin = marginOf(text, table, section);
    return [{ from: last, to: last, text: end + margin + line }];
  }
  const next = tree.sections[1];
  const at = next === undefined ? text.length : aboveComments(text, next.from);
  const before = at > 0 && text[at - 1] !== "\n" && text[at - 1] !== "\ufeff" ? end : "";
  return [{ from: at, to: at, text: `${before}${line}${end}${next === undefined ? "" : end}` }];
}

function appendTable(text: string, tree: TomlTree, path: Path, tables: TomlNode, value: Value): Edit[] {
  if (!isDictionary(value))
    throw new OptionFault(
      "The items of this array have headers of their own, so that a value must be a table",
    );
  if (path.some((step) => typeof step === "number"))
    throw new OptionFault("Items cannot be added to an array of tables within another one");
  let whole: Value = [value];
  for (const step of path.toReversed()) whole = new Map([[String(step), whole]]);
  const end = lineEndOf(text);
  const own = sectionsOf(tree, tables).at(-1) as Section;
  const at = lineEndAt(text, own.end);
  return [{ from: at, to: at, text: `${end}${end}${toToml(whole).trimEnd().replaceAll("\n", end)}` }];
}

function remove(text: string, tree: TomlTree, path: Path): Edit[] {
  const outer = find(tree.root, path.slice(0, -1));
  const entry = entryOf(outer, path.at(-1) as string | number);
  if (outer.kind === "inline" || outer.kind === "array")
    return removeEntry(text, outer, outer.entries.indexOf(entry));
  const sections = sectionsOf(tree, entry.value);
  const pairs = pairsOf(entry).filter(
    ({ from }) => !sections.some((one) => from > one.from && from < one.end),
  );
  return [
    ...pairs.map(({ from, to }) => lines(text, text.lastIndexOf("\n", from - 1) + 1, lineEndAt(text, to))),
    ...sections.map(({ from, end }) => {
      const cut = lines(text, text.lastIndexOf("\n", from - 1) + 1, end);
      const blank = /^(?:[ \t]*\r?\n)+/.exec(text.slice(cut.to))?.[0].length ?? 0;
      return { ...cut, to: cut.to + blank };
    }),
  ];
}

/** The pairs that a value consists of: itself, or those of a table of dotted keys. */
function pairsOf(entry: TomlEntry): TomlEntry[] {
  const { kind, entries } = entry.value;
  return kind === "table" || kind === "tables" ? entries.flatMap(pairsOf) : [entry];
}

/** The sections of a table and of all that is in it. */
function sectionsOf(tree: TomlTree, node: TomlNode): Section[] {
  const inside = new Set<TomlNode>();
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    inside.add(next);
    if (next.kind === "table" || next.kind === "tables")
      for (const { value } of next.entries) open.push(value);
  }
  return tree.sections.filter(({ table, isRoot }) => !isRoot && inside.has(table));
}

function find(root: TomlNode, path: Path): TomlNode {
  let node = root;
  for (const step of path) node = entryOf(node, step).value;
  return node;
}

function entryOf({ byKey }: TomlNode, step: string | number): TomlEntry {
  const entry = byKey.get(String(step));
  if (entry === undefined) throw new OptionFault("The path leads through a form that cannot be edited");
  return entry;
}

/** Writes a value in the quotes of the one before it. */
function written(text: string, node: TomlNode, value: Value): string {
  const isLiteral = node.kind === "scalar" && text[node.from] === "'" && text[node.from + 1] !== "'";
  // eslint-disable-next-line no-control-regex
  if (isLiteral && typeof value === "string" && !/['\x00-\x1f\x7f]/.test(value) && value.isWellFormed())
    return `'${value}'`;
  return toInlineToml(value);
}

/** Whole lines, with the line end behind them or, at the end of the text, before them. */
function lines(text: string, from: number, to: number): Edit {
  const end = /^\r?\n/.exec(text.slice(to, to + 2))?.[0].length ?? 0;
  return { from, to: to + end, text: "" };
}

/** Reports whether the document begins with pairs; what headers make has no length. */
const hasPairs = (root: TomlNode): boolean =>
  root.entries.some(({ value, to, from }) => to > from || value.dotted?.section.isRoot === true);

/** The end of the line of the last pair of a table of dotted keys. */
function lastEnd(text: string, table: TomlNode): number {
  const ends = table.entries.flatMap(pairsOf).map(({ to }) => to);
  return lineEndAt(
    text,
    ends.reduce((most, one) => Math.max(most, one), 0),
  );
}

function marginOf(text: string, { entries }: TomlNode, section: Section | undefined): string {
  const last = entries.findLast(({ value }) => value.kind !== "table" && value.kind !== "tables");
  const from = last?.from ?? section?.from ?? 0;
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", from - 1) + 1, from))?.[0] ?? "";
}

/** The beginning of the comments that stand directly above a line. */
function aboveComments(text: string, index: number): number {
  let at = text.lastIndexOf("\n", index - 1) + 1;
  while (at > 0) {
    const before = text.lastIndexOf("\n", at - 2) + 1;
    if (!/^[ \t]*#/.test(text.slice(before, at))) return at;
    at = before;
  }
  return at;
}

const lineEndOf = (text: string): string => (/^[^\n]*\r\n/.test(text) ? "\r\n" : "\n");
