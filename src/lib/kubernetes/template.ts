import type { ParsedNode } from "yaml";
import { lineOf } from "../lines.ts";
import type { YamlDocument, YamlLibrary } from "../yaml/parse.ts";

export interface TemplateMark {
  /** In UTF-16 code units. */
  index: number;
  message: string;
}

const marks = /\{\{|\{%|<%/;

/**
 * Returns the first mark of a template in a text that is no YAML; undefined if it has none, so that it is a faulty document.
 */
export function findMark(text: string): TemplateMark | undefined {
  const index = text.search(marks);
  return index < 0 ? undefined : toMark(text, index);
}

/** Fields that no controller fills in: a mark in their plain text is that of a template. */
const fixed = new Set(["apiVersion", "kind", "name", "namespace", "generateName", "image"]);

/**
 * Returns the mark of a template in a text that happens to be YAML: `{{ x }}` is a map with a map as its key. Other marks
 * are none, since alerts and workflows contain them.
 */
export function findHiddenMark(
  yaml: YamlLibrary,
  text: string,
  documents: readonly YamlDocument[],
): TemplateMark | undefined {
  if (!marks.test(text)) return undefined;
  const waiting: (ParsedNode | null)[] = documents.map(({ contents }) => contents);
  let first: number | undefined;
  const add = (node: { range?: readonly number[] | null | undefined }): void => {
    first = Math.min(first ?? Infinity, node.range?.[0] ?? 0);
  };
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (yaml.isMap(node)) {
      for (const { key, value } of node.items) {
        if (yaml.isMap(key) && node.flow === true) add(node);
        const isPlain = yaml.isScalar(value) && value.type === "PLAIN";
        if (
          isPlain &&
          fixed.has(String(yaml.isScalar(key) ? key.value : "")) &&
          marks.test(String(value.value))
        )
          add(value);
        waiting.push(value as ParsedNode | null);
      }
    } else if (yaml.isSeq(node)) for (const item of node.items) waiting.push(item as ParsedNode);
  }
  return first === undefined ? undefined : toMark(text, first);
}

function toMark(text: string, index: number): TemplateMark {
  const end = text.indexOf("\n", index);
  const shown = text
    .slice(index, end < 0 ? undefined : end)
    .trim()
    .slice(0, 40);
  return {
    index,
    message: `This is a template: line ${lineOf(text, index)} has ${shown}. Render it first, such as with helm template, and validate the result.`,
  };
}
