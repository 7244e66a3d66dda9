import type { CST } from "yaml";
import type { YamlLibrary } from "../yaml/parse.ts";
import type { Bracketed, BracketEntry } from "./brackets.ts";

/** A value of a YAML text and where it stands, in UTF-16 code units. */
export interface YamlNode extends Bracketed {
  readonly kind: "map" | "list" | "scalar" | "alias" | "none";
  /** Whether it is in brackets, or a scalar in one line of its own notation. */
  readonly flow: boolean;
  readonly token: CST.Token | null | undefined;
  readonly entries: YamlEntry[];
}

export interface YamlEntry extends BracketEntry {
  readonly key: string | undefined;
  /** The earliest start of the value: behind the colon or the dash, and behind an anchor and a tag. */
  readonly valueAt: number;
  /** Whether it has a colon; an entry of a list has none. */
  readonly hasColon: boolean;
  readonly value: YamlNode;
}

/** Reads the value of a document from its tokens. The parser has limited the depth. */
export function readYamlTree(yaml: YamlLibrary, document: CST.Document): YamlNode {
  const behind = document.start.findLast(
    ({ type }) => type === "doc-start" || type === "anchor" || type === "tag",
  );
  return readNode(
    document.value,
    behind === undefined ? document.offset : behind.offset + behind.source.length,
  );

  function readNode(token: CST.Token | null | undefined, at: number): YamlNode {
    const none = { kind: "none" as const, flow: true, from: at, to: at, token, entries: [] };
    if (token === null || token === undefined) return none;
    switch (token.type) {
      case "alias":
      case "scalar":
      case "single-quoted-scalar":
      case "double-quoted-scalar": {
        if (token.source === "") return none;
        const kind = token.type === "alias" ? "alias" : "scalar";
        return { ...none, kind, from: token.offset, to: token.offset + token.source.length };
      }
      case "block-scalar": {
        const header = token.props.at(-1) as CST.SourceToken;
        const from = (token.props.find(({ type }) => type === "block-scalar-header") ?? header).offset;
        const end = header.offset + header.source.length + token.source.length;
        const isEnded = token.source.endsWith("\n");
        return { ...none, kind: "scalar", flow: false, from, to: isEnded ? end - 1 : end };
      }
      case "block-map":
      case "block-seq": {
        const entries = (token.items as CST.CollectionItem[])
          .map((item) => readEntry(item, token.type === "block-map", undefined))
          .filter((entry) => entry !== undefined);
        const kind = token.type === "block-map" ? "map" : "list";
        return {
          ...none,
          kind,
          flow: false,
          from: entries[0]?.from ?? at,
          to: entries.at(-1)?.to ?? at,
          entries,
        };
      }
      case "flow-collection": {
        const isMap = token.start.source === "{";
        const entries = token.items
          .map((item, index) => readEntry(item, isMap, token.items[index + 1]))
          .filter((entry) => entry !== undefined);
        const end = (token.end[0]?.offset ?? token.offset) + 1;
        return { ...none, kind: isMap ? "map" : "list", from: token.offset, to: end, entries };
      }
      default:
        return none;
    }
  }

  /** Undefined for what is left behind the last comma, or before a comment at the end. */
  function readEntry(
    { start, key, sep = [], value }: CST.CollectionItem,
    isMap: boolean,
    following: CST.CollectionItem | undefined,
  ): YamlEntry | undefined {
    const significant = [...start, ...sep].filter(({ type }) => !between.has(type));
    const first = significant[0]?.offset ?? Infinity;
    const keyNode = key === null || key === undefined ? undefined : readNode(key, first);
    if (significant.length === 0 && keyNode === undefined && (value === undefined || value === null))
      return undefined;
    const colon = sep.find(({ type }) => type === "map-value-ind");
    const last = significant.findLast((one) => !isMap || sep.includes(one));
    const begun = keyNode?.to ?? value?.offset ?? first;
    const valueAt = last === undefined ? begun : last.offset + last.source.length;
    // In a list in brackets an entry with a colon is a map, which is not taken apart.
    const isPair = !isMap && (colon !== undefined || (keyNode !== undefined && value === undefined));
    const node = isPair && keyNode !== undefined && colon === undefined ? keyNode : readNode(value, valueAt);
    const name = yaml.CST.isScalar(key ?? null)
      ? yaml.CST.resolveAsScalar(key as CST.FlowScalar)?.value
      : undefined;
    return {
      key: isMap ? (name ?? (key === null ? "" : undefined)) : undefined,
      from: Math.min(first, keyNode?.from ?? Infinity, node.from),
      to: Math.max(node.to, valueAt, keyNode?.to ?? 0),
      valueAt,
      hasColon: colon !== undefined,
      value: isPair && colon !== undefined ? { ...node, kind: "alias", entries: [] } : node,
      comma: following?.start.find(({ type }) => type === "comma")?.offset,
    };
  }
}

const between: ReadonlySet<string> = new Set(["space", "newline", "comment", "comma"]);
