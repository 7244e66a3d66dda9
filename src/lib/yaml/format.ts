import { DocumentFault } from "../fault.ts";
import type { Document, Node, Pair, Scalar, ToStringOptions, YAMLMap, YAMLSeq } from "yaml";
import { checkLength } from "../data/result-length.ts";
import { compareCodePoints } from "../json/code-point-order.ts";
import { toValue } from "./from-yaml.ts";
import { parseYaml, type YamlDocument, type YamlLibrary } from "./parse.ts";
import { resolvePlain } from "./plain.ts";
import { keepBlankLines, keepLines } from "./written-lines.ts";

export interface YamlFormat {
  /** Spaces per level, 1 to 10. */
  indent: number;
  /** Sorts every map by Unicode code point. */
  sortKeys: boolean;
  /** Column at which long text is folded; 0 keeps the line breaks of text as written. */
  lineWidth: number;
  /** Writes spaces inside of the braces of flow maps. */
  bracketSpacing: boolean;
}

/**
 * Formats a YAML stream: comments, anchors, tags, quotes and the text of every scalar stay.
 * @throws DocumentFault if it is not YAML, repeats a key in one map, or could not be formatted without a
 * change.
 */
export function formatYaml(yaml: YamlLibrary, text: string, format: YamlFormat): string {
  const { documents, faults } = parseYaml(yaml, text);
  if (faults[0] !== undefined) throw faults[0];
  // Converting to a value finds duplicate keys and aliases without an anchor.
  for (const document of documents)
    toValue(yaml, document, text, { schema: "failsafe", merge: false, keys: "stringify" });
  // Comments alone are not a document.
  if (documents.length === 0) {
    const comments = text.split("\n").map((line) => line.trim());
    return comments.flatMap((line) => (line === "" ? [] : `${line}\n`)).join("");
  }
  const keepsLines = format.lineWidth === 0;
  let result = formatStream(yaml, text, documents, format, keepsLines);
  // Rare forms change with their lines. Writing changes the documents, so the text is parsed again.
  if (result === undefined && keepsLines)
    result = formatStream(yaml, text, parseYaml(yaml, text).documents, format, false);
  if (result === undefined) throw cannot(format.sortKeys);
  return result;
}

/** Returns undefined if the result would be another document. */
function formatStream(
  yaml: YamlLibrary,
  text: string,
  documents: readonly YamlDocument[],
  format: YamlFormat,
  keepsLines: boolean,
): string | undefined {
  let source = text;
  let before = documents;
  let result = "";
  // The library moves blank lines again when it formats its own output: repeat until the result is stable.
  for (let round = 0; round < maxRounds; round++) {
    for (const document of before) {
      keepBlankLines(yaml, document, source);
      if (keepsLines) keepLines(yaml, document, source);
    }
    const next = writeAll(yaml, before, format);
    if (next === undefined) return undefined;
    // A formatted text, which most checked files are, is itself the result: nothing has to be compared.
    if (next === text) return text;
    if (next === result) break;
    result = next;
    const after = parseYaml(yaml, result);
    if (after.faults.length > 0 || !isSame(yaml, before, after.documents)) return undefined;
    before = after.documents;
    source = result;
  }
  return commentsOf(yaml, text) === commentsOf(yaml, result) ? result : undefined;
}

const maxRounds = 4;

function writeAll(
  yaml: YamlLibrary,
  documents: readonly YamlDocument[],
  { indent, sortKeys, lineWidth, bracketSpacing }: YamlFormat,
): string | undefined {
  let result = "";
  for (const document of documents) {
    prepare(yaml, document, sortKeys);
    if (bracketSpacing) padFlowMaps(yaml, document);
  }
  try {
    for (const document of documents) {
      result += write(document, { indent, lineWidth, flowCollectionPadding: false });
      checkLength(result.length);
    }
  } catch (error) {
    // The library throws on what it cannot write; wrong output is found by parsing it again.
    if (error instanceof DocumentFault) throw error;
    return undefined;
  }
  return result;
}

/** The library pads maps and sequences alike. */
function padFlowMaps(yaml: YamlLibrary, document: YamlDocument): void {
  const pad = (node: YAMLMap | YAMLSeq, flowCollectionPadding: string): void => {
    const toText = node.toString.bind(node);
    node.toString = (context, ...calls) =>
      toText(context === undefined ? undefined : { ...context, flowCollectionPadding }, ...calls);
  };
  yaml.visit(document as Document, { Map: (_, node) => pad(node, " "), Seq: (_, node) => pad(node, "") });
}

function prepare(yaml: YamlLibrary, document: YamlDocument, sortKeys: boolean): void {
  const keyOf = ({ key }: Pair): string => (yaml.isScalar(key) ? String(key.value) : "\u{10ffff}");
  yaml.visit(document as Document, {
    Map(_, map: YAMLMap) {
      if (sortKeys) map.items.sort((a, b) => compareCodePoints(keyOf(a), keyOf(b)));
    },
    Pair(_, pair) {
      // `? a` without a value: the library cannot write the missing node.
      if (pair.value !== null) return;
      pair.value = Object.assign(new yaml.Scalar(""), { type: "PLAIN", source: "" });
    },
  });
}

function write(document: YamlDocument, options: ToStringOptions): string {
  const text = document.toString(options);
  const { contents } = document;
  const empty = contents !== null && "source" in contents && contents.source === "";
  // These characters are only allowed in double quotes, where the library forgets to escape them.
  return (empty ? `${text.trimEnd()}\n` : text).replace(
    /[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const cannot = (sorted: boolean): DocumentFault =>
  new DocumentFault(
    sorted
      ? "Sorting would put an alias before its anchor, or change the document in another way; do not set sortKeys."
      : "The document uses a form that cannot be formatted without changing it.",
    { index: 0 },
    "not-formattable",
  );

/** Sorted, because sorting keys moves their comments. */
function commentsOf(yaml: YamlLibrary, text: string): string {
  const found: string[] = [];
  for (const source of new yaml.Lexer().lex(text)) if (source.startsWith("#")) found.push(source.trimEnd());
  return found.toSorted().join("\n");
}

/** The library writes rare forms wrong; output that is another document must not be returned. */
function isSame(yaml: YamlLibrary, before: readonly YamlDocument[], after: readonly YamlDocument[]): boolean {
  return (
    before.length === after.length &&
    before.every((document, index) => {
      const own = traces(yaml, document);
      const other = traces(yaml, after[index] as YamlDocument);
      return own.length === other.length && own.every((trace, at) => trace === other[at]);
    })
  );
}

/**
 * Lists what a document means, without its comments: kinds, tags, anchors, and scalars with whether they are
 * plain.
 */
function traces(yaml: YamlLibrary, document: YamlDocument): string[] {
  const found: string[] = [];
  const trace = (node: Node, kind: string): void => {
    const { anchor, tag } = node as Scalar;
    found.push(`${kind} ${anchor ?? ""} ${tag ?? ""}`);
  };
  yaml.visit(document as Document, {
    Alias: (_, node) => void found.push(`*${node.source}`),
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
