import type { Node, Scalar } from "yaml";
import { fromJson } from "../data/from-json.ts";
import type { Dictionary, Value } from "../data/value.ts";
import { DocumentFault, unlessFault } from "../fault.ts";
import { toValue } from "../yaml/from-yaml.ts";
import { parseYaml, type YamlLibrary } from "../yaml/parse.ts";
import { resolvePlain } from "../yaml/plain.ts";
import type { TextFormat } from "./edit-text.ts";
import { readYamlTree } from "./yaml-tree.ts";
import { toYaml } from "../yaml/to-yaml.ts";
import { createYamlPlanner, yamlStyle } from "./yaml-plan.ts";

/**
 * A document of a YAML stream, edited in place; an alias is a value of its own, which nothing is in. The value of an edit is JSON,
 * and any other text is a string.
 * @param number Counts the documents from 1; without it there must be one.
 */
export const yamlText = (yaml: YamlLibrary, number: number | undefined): TextFormat => ({
  readValue: (text) => unlessFault(() => fromJson(text)) ?? (text === "null" ? null : text),
  read(text) {
    const { tokens, documents, faults } = parseYaml(yaml, text);
    if (faults[0] !== undefined) throw faults[0];
    // Finds keys that occur twice, and aliases without an anchor.
    for (const document of documents)
      toValue(yaml, document, text, { schema: "core", merge: false, keys: "stringify" });
    if (number === undefined && documents.length > 1)
      throw new DocumentFault(
        `data has ${documents.length} documents; name one by document, which counts from 1.`,
      );
    const at = (number ?? 1) - 1;
    const document = documents[at];
    if (at > 0 && document === undefined)
      throw new DocumentFault(`data has ${documents.length} documents, and no document ${number}.`);
    const token = tokens.filter(({ type }) => type === "document").at(documents.length > 1 ? at : -1);
    const planner =
      token?.type === "document" ? createYamlPlanner(text, readYamlTree(yaml, token)) : undefined;
    const own = documents.map((one) => modelOf(yaml, one.contents));
    return {
      value: own[at] ?? null,
      plan(operation) {
        if (planner !== undefined) return planner(operation);
        // Comments at most. All that can be done is to make the document.
        const value = operation.kind === "replace" ? operation.value : null;
        const before = text === "" || text === "\ufeff" || text.endsWith("\n") ? "" : "\n";
        return [{ from: text.length, to: text.length, text: before + toYaml(value, yamlStyle) }];
      },
    };
  },
});

/** Recursive: the parser limits the depth. */
function modelOf(yaml: YamlLibrary, node: Node | null): Value {
  if (node === null) return null;
  if (yaml.isAlias(node)) return { kind: "nonfinite", text: `*${node.source}` };
  if (yaml.isSeq(node)) return node.items.map((item) => modelOf(yaml, item as Node | null));
  if (yaml.isMap(node)) {
    const map: Dictionary = new Map();
    for (const { key, value } of node.items)
      map.set(
        yaml.isScalar(key) ? String(key.value ?? "") : `\0${JSON.stringify(key)}`,
        modelOf(yaml, value as Node | null),
      );
    return map;
  }
  const { type, source, value, tag } = node as Scalar.Parsed;
  const content = String(value ?? "");
  const resolved =
    type === "PLAIN" && tag === undefined ? resolvePlain(source ?? content, "core") : undefined;
  return resolved === undefined ? content : resolved;
}
