import { isDictionary, isList, type Value } from "../data/value.ts";
import { OptionFault } from "../fault.ts";
import { toYaml } from "../yaml/to-yaml.ts";
import { addEntry, placeOf, removeEntry } from "./brackets.ts";
import type { Operation, Path } from "./operations.ts";
import type { Edit } from "./replace.ts";
import type { YamlEntry, YamlNode } from "./yaml-tree.ts";

/** Returns a function that plans the edits of an operation. */
export function createYamlPlanner(text: string, root: YamlNode): (operation: Operation) => Edit[] {
  const end = /^[^\n]*\r\n/.test(text) ? "\r\n" : "\n";
  const layout: Layout = { text, unit: unitOf(text, root), end };
  return (operation) => plan(layout, root, operation);
}

function plan(layout: Layout, root: YamlNode, operation: Operation): Edit[] {
  const { text } = layout;
  const { kind, path } = operation;
  if (kind === "remove") return remove(layout, root, path);
  if (kind === "replace") {
    const entry = entryAt(root, path);
    if (entry !== undefined) return replace(layout, entry, operation.value);
    return [{ from: root.from, to: root.to, text: blockOf(layout, operation.value, 0).trimStart() }];
  }
  const node = find(root, path);
  const one: Value = kind === "append" ? [operation.value] : new Map([[operation.key, operation.value]]);
  if (node.entries.length === 0 && node.flow && path.length === 0)
    return [{ from: node.from, to: node.to, text: yamlOf(layout, one) }];
  if (node.flow) return addEntry(text, node, () => flowOf(one).slice(1, -1));
  const last = node.entries.at(-1) as YamlEntry;
  const column = columnOf(text, node.entries[0]?.from ?? 0);
  const lines = indented(layout, yamlOf(layout, one), column);
  return [insertion(layout, lineEndAt(text, last.to), " ".repeat(column) + lines)];
}

interface Layout {
  readonly text: string;
  /** Spaces of a level. */
  readonly unit: number;
  readonly end: string;
}

function replace(layout: Layout, entry: YamlEntry, value: Value): Edit[] {
  const { text } = layout;
  const { value: node, valueAt } = entry;
  const column = columnOf(text, entry.from);
  const isFull = (isList(value) && value.length > 0) || (isDictionary(value) && value.size > 0);
  if (entry.comma !== undefined || isInFlow(layout, entry)) {
    const colon = entry.key !== undefined && !entry.hasColon ? ":" : "";
    const written = scalarOf(layout, node, value) ?? flowOf(value);
    const space = node.kind === "none" && entry.key !== undefined ? " " : "";
    return [{ from: node.from, to: node.to, text: colon + space + written }];
  }
  const short = isFull
    ? undefined
    : (scalarOf(layout, node, value) ?? blockOf(layout, value, column).slice(1));
  if (node.flow && node.kind !== "none") {
    if (short !== undefined) return [{ from: node.from, to: node.to, text: short }];
    if (node.entries.length > 0 || node.kind === "map" || node.kind === "list")
      return [{ from: node.from, to: node.to, text: flowOf(value) }];
  }
  const written = short === undefined ? blockOf(layout, value, column, entry) : ` ${short}`;
  if (node.kind === "scalar" && !node.flow) return [{ from: valueAt, to: node.to, text: written }];
  if (node.flow) {
    const removed = { from: valueAt, to: node.to, text: "" };
    if (written.startsWith(" ")) return [{ ...removed, text: written }];
    return [removed, insertion(layout, lineEndAt(text, node.to), written.slice(layout.end.length))];
  }
  const isInLine = !text.slice(valueAt, node.from).includes("\n");
  if (isInLine) return [{ from: valueAt, to: node.to, text: written }];
  const lines = { from: lineEndAt(text, valueAt), to: lineEndAt(text, node.to) };
  if (!written.startsWith(" ")) return [{ ...lines, text: written }];
  return [
    { from: valueAt, to: valueAt, text: written },
    { ...lines, text: "" },
  ];
}

function remove(layout: Layout, root: YamlNode, path: Path): Edit[] {
  const { text } = layout;
  const outer = find(root, path.slice(0, -1));
  const position = positionOf(outer, path.at(-1) as string | number);
  const entry = outer.entries[position] as YamlEntry;
  if (outer.flow) return removeEntry(text, outer, position);
  if (outer.entries.length === 1) {
    const around = entryAt(root, path.slice(0, -1));
    const empty: Value = outer.kind === "map" ? new Map() : [];
    if (around !== undefined) return replace(layout, around, empty);
    return [{ from: entry.from, to: entry.to, text: flowOf(empty) }];
  }
  const start = text.lastIndexOf("\n", entry.from - 1) + 1;
  const end = text.indexOf("\n", lineEndAt(text, entry.to));
  if (text.slice(start, entry.from).trim() !== "") {
    const next = outer.entries[position + 1] as YamlEntry;
    const behind = /\S/.exec(text.slice(end, next.from + 1));
    return [{ from: entry.from, to: end + (behind?.index ?? 0), text: "" }];
  }
  if (end >= 0) return [{ from: start, to: end + 1, text: "" }];
  return [{ from: Math.max(start - layout.end.length, 0), to: text.length, text: "" }];
}

function find(root: YamlNode, path: Path): YamlNode {
  let node = root;
  for (const step of path) node = (node.entries[positionOf(node, step)] as YamlEntry).value;
  return node;
}

function entryAt(root: YamlNode, path: Path): YamlEntry | undefined {
  const step = path.at(-1);
  if (step === undefined) return undefined;
  const outer = find(root, path.slice(0, -1));
  return outer.entries[positionOf(outer, step)];
}

function positionOf({ kind, entries }: YamlNode, step: string | number): number {
  const position = kind === "map" ? placeOf(entries, String(step)) : Number(step);
  if (entries[position] === undefined)
    throw new OptionFault("The path leads through a form that cannot be edited");
  return position;
}

/** Reports whether an entry without a comma behind it is the last one in brackets. */
function isInFlow({ text }: Layout, { to, value }: YamlEntry): boolean {
  return value.flow && /^(?:\s|#[^\n]*\n)*[\]}]/.test(text.slice(to, to + 1000));
}

const columnOf = (text: string, index: number): number => index - (text.lastIndexOf("\n", index - 1) + 1);

/** Returns the end of the line in which an index lies, before its line end. */
function lineEndAt(text: string, index: number): number {
  const found = text.indexOf("\n", index);
  if (found < 0) return text.length;
  return text[found - 1] === "\r" && found > index ? found - 1 : found;
}

/** Inserts lines at the end of a line. */
const insertion = ({ end }: Layout, at: number, lines: string): Edit => ({
  from: at,
  to: at,
  text: end + lines,
});

/** Writes a scalar in the notation of the one before it; undefined if that is not possible. */
function scalarOf({ text }: Layout, node: YamlNode, value: Value): string | undefined {
  if (isList(value) || isDictionary(value)) return undefined;
  const quote = node.kind === "scalar" && node.flow ? text[node.from] : undefined;
  const isSimple = typeof value === "string" && /^[\x20-\x7e\u00a1-\ud7ff\ue000-\ufefe]*$/.test(value);
  if (isSimple && quote === "'") return `'${value.replaceAll("'", "''")}'`;
  if (isSimple && quote === '"') return JSON.stringify(value);
  const plain = toYaml(value, yamlStyle).slice(0, -1);
  if (plain.includes("\n")) return undefined;
  return plain;
}

export const yamlStyle = { indent: 2, compat: "yaml1.1", lineWidth: 0 } as const;

/** Writes a value in brackets, or a scalar that can be in them. */
function flowOf(value: Value): string {
  if (isList(value)) return `[${value.map(flowOf).join(", ")}]`;
  if (isDictionary(value))
    return `{${Array.from(value, ([key, item]) => `${flowOf(key)}: ${flowOf(item)}`).join(", ")}}`;
  if (typeof value !== "string") return toYaml(value, yamlStyle).slice(0, -1);
  const plain = toYaml(value, yamlStyle).slice(0, -1);
  return /^[A-Za-z_][\w ./-]*$/.test(plain) || plain.startsWith('"') ? plain : JSON.stringify(value);
}

const yamlOf = ({ unit }: Layout, value: Value): string =>
  toYaml(value, { ...yamlStyle, indent: unit }).slice(0, -1);

/** Writes what follows a colon or a dash: a space and a scalar, or lines. */
function blockOf(
  layout: Layout,
  value: Value,
  column: number,
  { key }: Partial<YamlEntry> = { key: "" },
): string {
  const written =
    key === undefined ? yamlOf(layout, [value]).slice(1) : yamlOf(layout, new Map([["k", value]])).slice(2);
  return indented(layout, written, column);
}

/** Indents all lines but the first. */
const indented = ({ end }: Layout, lines: string, column: number): string =>
  lines
    .split("\n")
    .map((line, at) => (at === 0 || line === "" ? line : " ".repeat(column) + line))
    .join(end);

/** The spaces by which the first map in a map is indented; 2 without one. */
function unitOf(text: string, root: YamlNode): number {
  const open = [root];
  for (let at = 0; at < open.length; at++) {
    const { kind, flow, entries } = open[at] as YamlNode;
    if (flow) continue;
    for (const { from, value } of entries) {
      if (kind === "map" && value.kind === "map" && !value.flow)
        return Math.min(Math.max(columnOf(text, value.from) - columnOf(text, from), 1), 10);
      open.push(value);
    }
  }
  return 2;
}
