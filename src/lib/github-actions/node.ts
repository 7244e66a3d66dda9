import type { ParsedNode, Scalar } from "yaml";
import { isLiteral } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { escapeToken } from "../json/pointer.ts";
import { parseYaml, type YamlLibrary } from "../yaml/parse.ts";
import { resolvePlain } from "../yaml/plain.ts";

interface At {
  /** Where it begins in the document, in UTF-16 code units. */
  readonly index: number;
  readonly pointer: string;
}

export interface ScalarNode extends At {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** The value as text; empty for null. */
  readonly text: string;
}

export interface ListNode extends At {
  readonly kind: "list";
  readonly items: readonly Node[];
}

export interface MapNode extends At {
  readonly kind: "map";
  readonly entries: readonly Entry[];
}

/** A value of a workflow. An alias is the very node that it repeats, so that its place is that of the anchor. */
export type Node = ScalarNode | ListNode | MapNode;

export interface Entry {
  readonly key: ScalarNode;
  readonly value: Node;
}

/** GitHub's own limit of levels is about the same. */
const maxLevels = 100;

/** Most nodes that aliases may add: a few lines can expand to billions (CWE-776). */
const maxRepeated = 100_000;

/**
 * Reads the one document of a text; undefined if it has none.
 * @throws DocumentFault for what is no YAML, nests too deeply, repeats too much, or has keys that are not text.
 */
export function readNode(yaml: YamlLibrary, text: string): Node | undefined {
  const { documents, faults } = parseYaml(yaml, text);
  if (faults[0] !== undefined) throw faults[0];
  const [document, second] = documents;
  if (second !== undefined) {
    const index = second.contents?.range[0] ?? second.range[0];
    throw new DocumentFault("This is a second document; GitHub reads one.", { index }, "documents");
  }
  if (document === undefined) return undefined;
  const reader = createReader(yaml);
  return reader.read(document.contents, "", 0, document.range[0]);
}

interface Counted {
  node: Node | undefined;
  nodes: number;
  levels: number;
}

function createReader(yaml: YamlLibrary) {
  const anchors = new Map<string, Counted>();
  let nodes = 0;
  let repeated = 0;
  let deepest = 0;

  /** Recursive: the number of levels is limited. */
  function read(node: ParsedNode | null, pointer: string, level: number, index: number): Node {
    if (level > maxLevels) {
      const message = `The document nests more than ${maxLevels} levels deep.`;
      throw new DocumentFault(message, { index: node?.range[0] ?? index }, "too-deep");
    }
    deepest = Math.max(deepest, level);
    nodes++;
    if (node === null) return { kind: "scalar", value: null, text: "", index, pointer };
    if (yaml.isAlias(node)) return repeat(node.source, level, node.range[0]);
    if (node.anchor === undefined) return readContent(node, pointer, level);
    const anchor: Counted = { node: undefined, nodes: 0, levels: 0 };
    anchors.set(node.anchor, anchor);
    const [before, outer] = [nodes, deepest];
    deepest = level;
    const content = readContent(node, pointer, level);
    Object.assign(anchor, { node: content, nodes: nodes - before + 1, levels: deepest - level });
    deepest = Math.max(outer, deepest);
    return content;
  }

  function repeat(name: string, level: number, index: number): Node {
    const anchor = anchors.get(name);
    const shown = name.length > 40 ? `${name.slice(0, 40)}…` : name;
    if (anchor === undefined)
      throw new DocumentFault(`There is no anchor &${shown} before this alias.`, { index }, "bad-alias");
    if (anchor.node === undefined) {
      const message = `The alias *${shown} is inside the node that it repeats.`;
      throw new DocumentFault(message, { index }, "bad-alias");
    }
    repeated += anchor.nodes;
    nodes += anchor.nodes;
    if (repeated > maxRepeated) {
      const message = `The aliases up to here repeat more than ${maxRepeated} nodes; use fewer of them.`;
      throw new DocumentFault(message, { index }, "too-many-aliases");
    }
    if (level + anchor.levels > maxLevels) {
      const message = `With its aliases the document nests more than ${maxLevels} levels deep.`;
      throw new DocumentFault(message, { index }, "too-deep");
    }
    deepest = Math.max(deepest, level + anchor.levels);
    return anchor.node;
  }

  function readContent(node: ParsedNode, pointer: string, level: number): Node {
    const [index] = node.range;
    if (yaml.isSeq(node)) {
      const items = node.items.map((item, at) =>
        read(item as ParsedNode | null, `${pointer}/${at}`, level + 1, index),
      );
      return { kind: "list", items, index, pointer };
    }
    if (!yaml.isMap(node)) return { ...toScalar(node as Scalar.Parsed), index, pointer };
    const entries = node.items.map(({ key, value }): Entry => {
      const name = readKey(key as ParsedNode | null, pointer, index);
      const from = name.index + name.text.length;
      return { key: name, value: read(value as ParsedNode | null, name.pointer, level + 1, from) };
    });
    return { kind: "map", entries, index, pointer };
  }

  function readKey(key: ParsedNode | null, pointer: string, index: number): ScalarNode {
    const node = yaml.isAlias(key) ? repeat(key.source, 0, key.range[0]) : undefined;
    const scalar =
      node?.kind === "scalar" ? node : yaml.isScalar(key) ? toScalar(key as Scalar.Parsed) : undefined;
    if (scalar === undefined)
      throw new DocumentFault("A key must be text.", { index: key?.range[0] ?? index }, "key");
    const text = scalar.value === null ? String((key as Scalar.Parsed).source ?? "") : scalar.text;
    return {
      kind: "scalar",
      value: text,
      text,
      index: key?.range[0] ?? index,
      pointer: `${pointer}/${escapeToken(text)}`,
    };
  }

  return { read };
}

function toScalar(node: Scalar.Parsed): Pick<ScalarNode, "kind" | "value" | "text"> {
  const text = String(node.value ?? "");
  const plain = node.type === "PLAIN" && node.tag === undefined ? resolvePlain(text, "core") : undefined;
  if (plain === undefined) return { kind: "scalar", value: text, text };
  if (plain === null) return { kind: "scalar", value: null, text: "" };
  if (typeof plain === "boolean") return { kind: "scalar", value: plain, text };
  const isNumber = isLiteral(plain) && plain.kind === "number";
  return { kind: "scalar", value: isNumber ? Number(plain.text) : text, text };
}

/** Returns the value of a key of a map; undefined if there is none. */
export function child(node: Node | undefined, ...keys: string[]): Node | undefined {
  let at = node;
  for (const name of keys) at = entryOf(at, name)?.value;
  return at;
}

export const entryOf = (node: Node | undefined, name: string): Entry | undefined =>
  node?.kind === "map" ? indexOf(node).get(name) : undefined;

const indexes = new WeakMap<MapNode, Map<string, Entry>>();

function indexOf(node: MapNode): Map<string, Entry> {
  let index = indexes.get(node);
  if (index === undefined) {
    index = new Map(node.entries.toReversed().map((entry) => [entry.key.text, entry]));
    indexes.set(node, index);
  }
  return index;
}

export const entriesOf = (node: Node | undefined): readonly Entry[] =>
  node?.kind === "map" ? node.entries : [];

export const itemsOf = (node: Node | undefined): readonly Node[] => (node?.kind === "list" ? node.items : []);

/** Returns the items of a list, or a single value as a list of one; null is none. */
export const listOf = (node: Node | undefined): readonly Node[] =>
  node === undefined || isEmpty(node) ? [] : node.kind === "list" ? node.items : [node];

export const textOf = (node: Node | undefined): string | undefined =>
  node?.kind === "scalar" && node.value !== null ? node.text : undefined;

export const isEmpty = (node: Node | undefined): boolean => node?.kind === "scalar" && node.value === null;

/** Whether a value is a text with an expression, whose value is known only when the workflow runs. */
export const isDynamic = (node: Node | undefined): boolean =>
  node?.kind === "scalar" && node.text.includes("${{");

/** Quotes a text of the document, shortened to fit a message. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
