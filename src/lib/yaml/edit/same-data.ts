import type { Alias, Document, Node, Pair, Scalar, YAMLMap } from "yaml";
import { compareCodePoints } from "../../json/code-point-order.ts";
import type { YamlDocument, YamlLibrary } from "../parse.ts";
import { resolvePlain } from "../plain.ts";

/**
 * Compares two streams without their comments. Returns the index, in the first, of the first node that differs; 0 if the number
 * of documents does.
 * @param sorts Compares with the first after sorting its keys.
 */
export function findChange(
  yaml: YamlLibrary,
  before: readonly YamlDocument[],
  after: readonly YamlDocument[],
  sorts: boolean,
): number | undefined {
  if (before.length !== after.length) return 0;
  for (const [index, document] of before.entries()) {
    const anchors = sorts ? findAnchors(yaml, document) : new Map<Alias, Node>();
    if (sorts) sortModel(yaml, document);
    const own = traces(yaml, document, anchors);
    const other = traces(yaml, after[index] as YamlDocument, new Map());
    const at = own.findIndex(({ text }, position) => text !== other[position]?.text);
    if (at >= 0) return own[at]?.index;
    if (own.length !== other.length) return 0;
  }
  return undefined;
}

interface Trace {
  text: string;
  index: number;
}

function sortModel(yaml: YamlLibrary, document: YamlDocument): void {
  const keyOf = ({ key }: Pair): string => (yaml.isScalar(key) ? String(key.value) : "\u{10ffff}");
  yaml.visit(document as Document, {
    Map(_, map: YAMLMap) {
      map.items.sort((a, b) => compareCodePoints(keyOf(a), keyOf(b)));
    },
  });
}

/** Returns the node that each alias repeats. */
function findAnchors(yaml: YamlLibrary, document: YamlDocument): Map<Alias, Node> {
  const named = new Map<string, Node>();
  const found = new Map<Alias, Node>();
  yaml.visit(document as Document, {
    Node(_, node) {
      if (yaml.isAlias(node)) found.set(node, named.get(node.source) as Node);
      else if (node.anchor !== undefined) named.set(node.anchor, node);
    },
  });
  return found;
}

/**
 * Lists what a document means: kinds, tags, anchors, and scalars with whether they are plain. An alias that repeats another node
 * than in `anchors` equals no other.
 */
function traces(yaml: YamlLibrary, document: YamlDocument, anchors: ReadonlyMap<Alias, Node>): Trace[] {
  const found: Trace[] = [];
  const named = new Map<string, Node>();
  const trace = (node: Node, kind: string): void => {
    const { anchor, tag } = node as Scalar;
    if (anchor !== undefined && anchors.size > 0) named.set(anchor, node);
    found.push({ text: `${kind} ${anchor ?? ""} ${tag ?? ""}`, index: node.range?.[0] ?? 0 });
  };
  yaml.visit(document as Document, {
    Alias(_, node) {
      const other = anchors.has(node) && named.get(node.source) !== anchors.get(node);
      found.push({ text: `*${node.source}${other ? " of another node" : ""}`, index: node.range?.[0] ?? 0 });
    },
    Pair(_, pair) {
      // The library has a node for some of the values that are missing.
      pair.value ??= Object.assign(new yaml.Scalar(""), { type: "PLAIN", source: "" });
    },
    Map: (_, node) => trace(node, `map ${node.items.length}`),
    Seq: (_, node) => trace(node, `seq ${node.items.length}`),
    Scalar: (_, node) => trace(node, `${isTyped(node) ? "plain" : "text"} ${JSON.stringify(node.value)}`),
  });
  return found;
}

/** Reports whether quotes would change the value. */
function isTyped({ type, value }: Scalar): boolean {
  const text = String(value);
  return type === "PLAIN" && (resolvePlain(text, "core") ?? resolvePlain(text, "yaml-1.1")) !== undefined;
}
