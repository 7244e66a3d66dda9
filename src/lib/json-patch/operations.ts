import { DocumentFault } from "../fault.ts";
import { isDictionary, isList, type Value } from "../data/value.ts";
import { parsePointer } from "../json/pointer.ts";

/** One operation of RFC 6902, with parsed pointers. */
export type Operation =
  | { op: "add" | "replace" | "test"; path: string[]; value: Value }
  | { op: "remove"; path: string[] }
  | { op: "move" | "copy"; path: string[]; from: string[] };

/**
 * Parses a patch document.
 * @throws DocumentFault if it is not one (RFC 6902 §3 and §4).
 */
export function parseOperations(patch: Value): Operation[] {
  if (!isList(patch)) throw new DocumentFault("A JSON Patch is an array of operations.", { pointer: "" });
  return patch.map((operation, index) => parseOperation(operation, `/${index}`));
}

function parseOperation(operation: Value, pointer: string): Operation {
  if (!isDictionary(operation))
    throw new DocumentFault("An operation is an object with op and path.", { pointer });
  const op = operation.get("op");
  if (op === undefined) throw new DocumentFault("The operation lacks op.", { pointer });
  const readPath = (name: string): string[] => {
    const text = operation.get(name);
    if (text === undefined) throw new DocumentFault(`The operation lacks ${name}.`, { pointer });
    const tokens = typeof text === "string" ? parsePointer(text) : undefined;
    if (tokens !== undefined) return tokens;
    throw new DocumentFault(
      `${name} is not a JSON Pointer; write "" or "/key/0", with ~0 for ~ and ~1 for /.`,
      {
        pointer: `${pointer}/${name}`,
      },
    );
  };
  switch (op) {
    case "add":
    case "replace":
    case "test": {
      const path = readPath("path");
      const value = operation.get("value");
      if (value === undefined) throw new DocumentFault(`The operation ${op} lacks value.`, { pointer });
      return { op, path, value };
    }
    case "remove":
      return { op, path: readPath("path") };
    case "move":
    case "copy": {
      const path = readPath("path");
      const from = readPath("from");
      if (op === "move" && from.length < path.length && from.every((token, at) => token === path[at]))
        throw new DocumentFault("A value cannot be moved into itself.", { pointer: `${pointer}/path` });
      return { op, path, from };
    }
    default:
      throw new DocumentFault("op must be add, remove, replace, move, copy or test.", {
        pointer: `${pointer}/op`,
      });
  }
}
