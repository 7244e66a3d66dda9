import { DocumentFault } from "../fault.ts";
import { type Dictionary, isDictionary, maxDepth, type Value } from "./value.ts";

/** Most objects made: deep names over many records multiply the document. */
const maxMade = 2_000_000;

/**
 * Returns a function that nests the members of a map by the parts of their names: `a.b` becomes b in a, and an object whose
 * names are 0, 1 and so on becomes a list. It is the inverse of `flatEntries`.
 * @throws DocumentFault if a name is both a value and an object.
 */
export function createUnflattener(separator: string): (flat: Dictionary) => Dictionary {
  let made = 0;

  function put(root: Dictionary, path: readonly string[], value: Value): void {
    if (isDictionary(value) && value.size > 0) {
      for (const [key, item] of value) put(root, [...path, ...partsOf(key, separator)], item);
      return;
    }
    if (path.length > maxDepth)
      throw new DocumentFault(`A name can have at most ${maxDepth} parts.`, {}, "too-deep");
    let map = root;
    for (const [at, part] of path.slice(0, -1).entries()) {
      const next = map.get(part) ?? new Map<string, Value>();
      if (!isDictionary(next)) throw collision(path.slice(0, at + 1));
      if (next.size === 0 && ++made > maxMade)
        throw new DocumentFault(`The names make more than ${maxMade} objects.`, {}, "too-large");
      map.set(part, next);
      map = next;
    }
    const last = path.at(-1) ?? "";
    if (map.has(last)) throw collision(path);
    map.set(last, value);
  }

  const collision = (path: readonly string[]): DocumentFault =>
    new DocumentFault(
      `${JSON.stringify(path.join(separator).slice(0, 64))} is a value and also an object; rename one of them, or set unflatten to false.`,
      {},
      "collision",
    );

  return (flat) => {
    const root: Dictionary = new Map();
    for (const [key, value] of flat) put(root, partsOf(key, separator), value);
    for (const [key, value] of root) root.set(key, withLists(value));
    return root;
  };
}

/** A name with an empty part, such as "No." or a..b, is no path. */
function partsOf(key: string, separator: string): string[] {
  const parts = key.split(separator);
  return parts.includes("") ? [key] : parts;
}

/** Recursive: the depth is limited. */
function withLists(value: Value): Value {
  if (!isDictionary(value)) return value;
  for (const [key, item] of value) value.set(key, withLists(item));
  const { size } = value;
  for (let at = 0; at < size; at++) if (!value.has(String(at))) return value;
  return size === 0 ? value : Array.from({ length: size }, (_, at) => value.get(String(at)) as Value);
}
