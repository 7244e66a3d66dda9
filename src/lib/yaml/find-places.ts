import type { ParsedNode } from "yaml";
import { parsePointer } from "../json/pointer.ts";
import { parseYaml, type YamlLibrary } from "./parse.ts";

interface Member {
  key: ParsedNode;
  value: ParsedNode | null;
}

/**
 * Returns the index, in UTF-16 code units, of each pointer (RFC 6901) in the first document of a stream. A
 * pointer to nothing, or to a value from a merge key, gets the index of its nearest ancestor.
 * @param keys Pointers that get the index of their key, in the place of that of their value.
 */
export function findYamlPlaces(
  yaml: YamlLibrary,
  text: string,
  pointers: readonly string[],
  keys: ReadonlySet<string> = new Set(),
): number[] {
  return findPlacesOf(yaml, parseYaml(yaml, text).documents[0]?.contents ?? null, pointers, keys);
}

/** Like `findYamlPlaces`, in the contents of a document that has been parsed. */
export function findPlacesOf(
  yaml: YamlLibrary,
  contents: ParsedNode | null,
  pointers: readonly string[],
  keys: ReadonlySet<string> = new Set(),
): number[] {
  // The keys of each map, read once for all pointers.
  const members = new Map<ParsedNode, Map<string, Member>>();
  const membersOf = (node: ParsedNode): Map<string, Member> => {
    let found = members.get(node);
    if (found === undefined && yaml.isMap(node)) {
      found = new Map(
        node.items.map(({ key, value }) => [
          yaml.isScalar(key) ? String(key.value) : "",
          { key, value: value as ParsedNode | null },
        ]),
      );
      members.set(node, found);
    }
    return found ?? new Map<string, Member>();
  };
  return pointers.map((pointer) => {
    let place = contents?.range[0] ?? 0;
    let node: ParsedNode | null | undefined = contents;
    let key: ParsedNode | undefined;
    for (const token of parsePointer(pointer) ?? []) {
      const member: Member | undefined = node && !yaml.isSeq(node) ? membersOf(node).get(token) : undefined;
      key = member?.key;
      node = yaml.isSeq(node) ? (node.items[Number(token)] as ParsedNode | undefined) : member?.value;
      if (!node) break;
      place = node.range[0];
    }
    return keys.has(pointer) && key !== undefined ? key.range[0] : place;
  });
}
