import { type Dictionary, isDictionary, type Value } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";
import { parsePointer, toShortPointer } from "../json/pointer.ts";
import { createTree, type Fail, type Step } from "./tree.ts";

export interface FlatPaths {
  style: "dotted" | "pointer";
  separator: string;
  /** `index`: an object whose keys are 0, 1 and so on becomes a list; `brackets`: `[0]` behind a name is an item; `none`: no lists. */
  arrays: "index" | "brackets" | "none";
}

/**
 * Returns the value whose parts a flat object names. A value that is no object, or an empty one, is returned as it is.
 * @throws DocumentFault with a pointer to the member whose name does not fit the others.
 */
export function unflattenValue(flat: Value, { style, separator, arrays }: FlatPaths): Value {
  if (!isDictionary(flat) || flat.size === 0) return flat;
  const tree = createTree({ exclusive: true, counts: arrays === "index" });
  for (const [name, value] of flat as Dictionary) {
    const fail: Fail = (message, rule, limit) => {
      const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
      return new DocumentFault(`${shown} ${message}.`, { pointer: toShortPointer([name]) }, rule, limit);
    };
    tree.put(toPath(name, fail), value, fail);
  }
  return tree.value() ?? null;

  function toPath(name: string, fail: Fail): readonly Step[] {
    if (style === "pointer") {
      const tokens = parsePointer(name);
      if (tokens === undefined)
        throw fail(
          "is not a JSON pointer, which is empty or begins with / and has ~0 and ~1 for ~ and /",
          "bad-path",
        );
      return tokens;
    }
    if (arrays !== "brackets") return name.split(separator);
    return name.split(separator).flatMap((part, at) => toSteps(part, at, fail));
  }
}

/** Reads `name[0][1]`; the first part can be an index alone. */
function toSteps(part: string, at: number, fail: Fail): Step[] {
  const [, name = "", indexes = ""] = /^([^[\]]*)((?:\[(?:0|[1-9]\d{0,8})\])*)$/.exec(part) ?? [];
  if (name + indexes !== part) throw fail("has brackets that do not hold an index", "bad-path");
  const steps = (indexes.match(/\d+/g) ?? []).map(Number);
  return name === "" && at === 0 && steps.length > 0 ? steps : [name, ...steps];
}
