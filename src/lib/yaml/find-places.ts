import type { ParsedNode } from "yaml";
import { parsePointer } from "../json/pointer.ts";
import { parseYaml, type YamlLibrary } from "./parse.ts";

/**
 * Returns the index, in UTF-16 code units, of each pointer (RFC 6901) in the first document of a stream. A
 * pointer to nothing, or to a value from a merge key, gets the index of its nearest ancestor.
 */
export function findYamlPlaces(yaml: YamlLibrary, text: string, pointers: readonly string[]): number[] {
  const contents = parseYaml(yaml, text).documents[0]?.contents ?? null;
  // The keys of each map, read once for all pointers.
  const members = new Map<ParsedNode, Map<string, ParsedNode | null>>();
  const membersOf = (node: ParsedNode): Map<string, ParsedNode | null> => {
    let found = members.get(node);
    if (found === undefined && yaml.isMap(node)) {
      found = new Map(
        node.items.map(({ key, value }) => [
          yaml.isScalar(key) ? String(key.value) : "",
          value as ParsedNode | null,
        ]),
      );
      members.set(node, found);
    }
    return found ?? new Map<string, ParsedNode | null>();
  };
  return pointers.map((pointer) => {
    let place = contents?.range[0] ?? 0;
    let node: ParsedNode | null | undefined = contents;
    for (const token of parsePointer(pointer) ?? []) {
      if (yaml.isSeq(node)) node = node.items[Number(token)] as ParsedNode | undefined;
      else node = node ? membersOf(node).get(token) : undefined;
      if (!node) break;
      place = node.range[0];
    }
    return place;
  });
}
