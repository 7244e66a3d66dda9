import { DocumentFault } from "../fault.ts";
import type { Pair, ParsedNode, Scalar, YAMLMap } from "yaml";
import { toJson } from "../data/to-json.ts";
import { type Dictionary, isDictionary, isLiteral, type Value } from "../data/value.ts";
import { lineOf } from "../lines.ts";
import { createAnchors } from "./anchors.ts";
import { parseYaml, type YamlDocument, type YamlLibrary } from "./parse.ts";
import { resolvePlain, type YamlSchema } from "./plain.ts";

export const yamlTags = ["error", "drop", "keep", "cloudformation"] as const;

export type YamlTags = (typeof yamlTags)[number];

export interface YamlOptions {
  schema: YamlSchema;
  /** Whether `<<` merges the keys of other maps. */
  merge: boolean;
  /** The treatment of keys that are not strings, which JSON lacks. */
  keys: "error" | "stringify";
  /**
   * The treatment of tags other than those of YAML itself: drop them, refuse them, keep each as the one key of an object, with
   * the value under it, or write the long form of CloudFormation's functions. `drop` by default.
   */
  tags?: YamlTags | undefined;
}

/**
 * Returns the values of all documents of a YAML stream. Calls `onDuplicate` for repeated keys of a map; without it, they are refused.
 * @throws DocumentFault with the place of the first fault, or of an alias that expands too much.
 */
export function fromYaml(
  yaml: YamlLibrary,
  text: string,
  options: YamlOptions,
  onDuplicate?: (fault: DocumentFault) => void,
): Value[] {
  const { documents, faults } = parseYaml(yaml, text, options.schema === "yaml-1.1" ? "1.1" : "1.2");
  if (faults[0] !== undefined) throw faults[0];
  return documents.map((document) => toValue(yaml, document, text, options, onDuplicate));
}

/** Converts one document. Calls `onDuplicate` for repeated keys of a map; without it, they are refused. */
export function toValue(
  yaml: YamlLibrary,
  document: YamlDocument,
  text: string,
  options: YamlOptions,
  onDuplicate?: (fault: DocumentFault) => void,
): Value {
  const { yaml: declared } = document.directives;
  const old = options.schema === "core" && declared.explicit === true && declared.version === "1.1";
  const schema = old ? "yaml-1.1" : options.schema;
  const anchors = createAnchors();
  return read(document.contents, 0);

  /** Recursive: the parser limits the depth. */
  function read(node: ParsedNode | null, depth: number): Value {
    if (node === null) return null;
    if (yaml.isAlias(node)) return anchors.use(node.source, depth, node.range[0]);
    const { anchor } = node;
    const close = anchor === undefined ? undefined : anchors.open(anchor, depth);
    const content = readContent(node, depth);
    const value = isOwnTag(node.tag) ? readTagged(node.tag, content, depth, node.range[0]) : content;
    close?.(value);
    return value;
  }

  function readTagged(tag: string, value: Value, depth: number, index: number): Value {
    if (options.tags === undefined || options.tags === "drop") return value;
    const name = tag.length > 64 ? `${tag.slice(0, 64)}…` : tag;
    if (options.tags === "error") {
      throw new DocumentFault(
        `The tag ${name} has no form here; set tags to keep, cloudformation or drop.`,
        { index },
        "tag",
      );
    }
    if (options.tags === "cloudformation") {
      const [key, content] = toFunction(tag, value);
      anchors.count(depth, key.length);
      return new Map([[key, content]]);
    }
    anchors.count(depth, tag.length);
    return new Map([[tag, value]]);
  }

  function readContent(node: Exclude<ParsedNode, { source: string; type: never }>, depth: number): Value {
    if (yaml.isScalar(node)) {
      anchors.count(depth, String(node.value).length);
      return readScalar(node as Scalar.Parsed);
    }
    anchors.count(depth, 0);
    if (yaml.isMap(node)) return readMap(node as YAMLMap.Parsed, depth);
    if (yaml.isSeq(node)) return node.items.map((item) => read(item as ParsedNode, depth + 1));
    throw new Error("a YAML node must be a scalar, a map, a sequence or an alias");
  }

  function readScalar(node: Scalar.Parsed): Value {
    const content = String(node.value ?? "");
    const plain = node.type === "PLAIN";
    if (node.tag !== undefined && schema !== "failsafe") {
      const value = resolveTagged(node.tag, content, plain, schema);
      if (value !== undefined) return value;
      const name = node.tag.replace("tag:yaml.org,2002:", "!!");
      throw new DocumentFault(`This is not a valid value of ${name}.`, { index: node.range[0] }, "bad-tag");
    }
    const value = plain ? resolvePlain(node.source ?? content, schema) : undefined;
    return value === undefined ? content : value;
  }

  function readMap(map: YAMLMap.Parsed, depth: number): Dictionary {
    const result: Dictionary = new Map();
    const places = new Map<string, number>();
    for (const { key: keyNode, value: valueNode } of map.items as Pair<ParsedNode, ParsedNode | null>[]) {
      const index = keyNode?.range[0] ?? map.range[0];
      if (options.merge && isMergeKey(keyNode)) {
        merge(result, read(valueNode, depth + 1), valueNode?.range[0] ?? index);
        continue;
      }
      const key = toKey(read(keyNode, depth + 1), keyNode, index);
      const first = places.get(key);
      if (first !== undefined) refuseDuplicate(key, first, index);
      else places.set(key, index);
      result.set(key, read(valueNode, depth + 1));
    }
    return result;
  }

  function isMergeKey(node: ParsedNode | null): boolean {
    return yaml.isScalar(node) && node.type === "PLAIN" && node.value === "<<" && node.tag === undefined;
  }

  function refuseDuplicate(key: string, first: number, index: number): void {
    const shown = JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key);
    const fault = new DocumentFault(
      `The key ${shown} occurs twice in this map; the first is on line ${lineOf(text, first)}.`,
      { index },
      "duplicate-key",
    );
    if (onDuplicate === undefined) throw fault;
    onDuplicate(fault);
  }

  function toKey(value: Value, node: ParsedNode | null, index: number): string {
    if (typeof value === "string") return value;
    // In YAML 1.2 a date is a string.
    if (isLiteral(value) && value.kind !== "number" && value.kind !== "nonfinite") return value.text;
    if (options.keys === "error") {
      throw new DocumentFault(
        "This key is not a string; put it in quotes, or set keys to stringify.",
        { index },
        "key-not-a-string",
      );
    }
    if (yaml.isScalar(node) && node.tag === undefined) return String(node.value ?? "");
    const key = toJson(value, 0);
    // Each level of nested keys doubles the escapes.
    if (key.length <= maxKey) return key;
    throw new DocumentFault(
      `A map or list used as a key can have at most ${maxKey} characters.`,
      { index },
      "key-too-long",
    );
  }
}

const maxKey = 65_536;

/** Returns the long form of a function of CloudFormation: !Ref is Ref, !Sub is Fn::Sub, and !GetAtt a.b takes a list. */
function toFunction(tag: string, value: Value): [string, Value] {
  const name = tag.replace(/^!/, "");
  if (name === "Ref" || name === "Condition") return [name, value];
  // Only the first dot separates the resource; the rest is the attribute.
  const [, resource, attribute] = /^([^.]+)\.(.+)$/.exec(typeof value === "string" ? value : "") ?? [];
  if (name === "GetAtt" && resource !== undefined && attribute !== undefined)
    return ["Fn::GetAtt", [resource, attribute]];
  return [`Fn::${name}`, value];
}

/** Reports whether a tag is neither of YAML itself nor `!`, which only says that a scalar is text. */
const isOwnTag = (tag: string | undefined): tag is string =>
  tag !== undefined && tag !== "!" && !tag.startsWith("tag:yaml.org,2002:");

/** https://yaml.org/type/merge.html: existing keys stay, and the first of several maps wins. */
function merge(target: Dictionary, value: Value, index: number): void {
  const sources = Array.isArray(value) ? value : [value];
  for (const source of sources) {
    if (!isDictionary(source)) {
      throw new DocumentFault(
        "The value of << must be a map or a list of maps; put << in quotes if it is a key, or set merge to false.",
        { index },
        "bad-merge",
      );
    }
    for (const [key, item] of source) if (!target.has(key)) target.set(key, item);
  }
}

const prefix = "tag:yaml.org,2002:";

/**
 * Returns the value of a tagged scalar: the tags of YAML itself set the type, others leave it a string.
 * Undefined if the text does not fit the tag.
 */
function resolveTagged(tag: string, content: string, plain: boolean, schema: YamlSchema): Value | undefined {
  if (!tag.startsWith(prefix)) return content;
  const value = resolvePlain(content, schema);
  switch (tag.slice(prefix.length)) {
    case "null":
      return value === null ? null : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "int":
      return isLiteral(value as Value) && /^-?\d+$/.test((value as { text: string }).text)
        ? (value as Value)
        : undefined;
    case "float": {
      const literal = value as Value;
      return isLiteral(literal) && (literal.kind === "number" || literal.kind === "nonfinite")
        ? literal
        : undefined;
    }
    case "timestamp":
      return resolvePlain(content, "yaml-1.1") ?? content;
    default:
      // A plain scalar tagged as a collection or a string.
      return plain && content === "" && tag !== `${prefix}str` ? null : content;
  }
}
